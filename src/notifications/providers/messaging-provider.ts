import type { ProviderName } from '../../platform/config/messaging-providers.js';

/** The purposes of messages, with names for support; each provider words a message in its own way. */
export const MENSAJE_TIPO_NAMES = {
  /** Asks the recipient of a guide to confirm where they are. */
  confirmacion_ubicacion: 'Pide confirmar la ubicación',
  /** Answers "Enviar ubicación" and opens the app's location picker. */
  pedir_ubicacion: 'Pide elegir el lugar',
  /** Asks which waiting guide a location is for: several wait, or the one that it was for is closed. */
  elegir_guia: 'Pregunta por cuál guía',
  /** Thanks for a location that confirmed a guide. */
  ubicacion_recibida: 'Agradece la ubicación',
  /** Says that a location came too late: the guide is closed, on its way, or was corrected too often. */
  guia_cerrada: 'Avisa que llegó tarde',
  /** Explains how to answer, after a text that we do not understand; at most once a day. */
  ayuda: 'Explica cómo responder',
  /** Acknowledge an opt-out, and an opt-in. */
  baja: 'Confirma que no recibirá más mensajes',
  alta: 'Confirma que recibirá mensajes',
  /** Tells the recipient of a guide that is on its way the PIN that its driver asks for. */
  pin_de_entrega: 'Da el PIN de la entrega',
} as const;

export type MensajeTipo = keyof typeof MENSAJE_TIPO_NAMES;

export const MENSAJE_TIPOS = Object.keys(MENSAJE_TIPO_NAMES) as MensajeTipo[];

/** Kinds that start a conversation, about a guide, to the phone that it has now; the others answer a person. */
export const STARTING_TIPOS = ['confirmacion_ubicacion', 'pin_de_entrega'] as const satisfies MensajeTipo[];

export const startsConversation = (tipo: MensajeTipo): boolean =>
  (STARTING_TIPOS as readonly MensajeTipo[]).includes(tipo);

export interface OutboundMessage {
  /** Our id, UUID; the same on every retry. */
  readonly id: string;
  /** Attempts before this one, 0 on the first; stored in the database, so that they survive a restart. */
  readonly intentos: number;
  readonly tipo: MensajeTipo;
  /** Recipient in E.164, `+50255551234`; null where only the app's own user id is known. */
  readonly telefono: string | null;
  /** The recipient's id in the app (WhatsApp's business-scoped user id), where it is known. */
  readonly usuario: string | null;
  /** The whole message in Spanish, link included, for apps without templates and buttons. */
  readonly texto: string;
  /** Only of `confirmacion_ubicacion`: the page's URL, and the secret part of it. */
  readonly enlace: string | null;
  readonly token: string | null;
  /** Only of `pin_de_entrega`: four digits. */
  readonly pin: string | null;
  /** Guide number and merchant's name; null where the message is about no guide. */
  readonly guia: string | null;
  readonly comercio: string | null;
  /** Recipient's name; may be empty. */
  readonly nombre: string;
  /** Only of `elegir_guia`: 1 to 10 choices. `id` comes back as the payload of the answer. */
  readonly opciones: readonly { id: string; titulo: string }[];
}

export interface Acceptance {
  /** The provider's id of the message, which statuses and answers refer to; null where it has none. */
  readonly proveedorId: string | null;
  /** The recipient's id in the app, where the provider returns it (WhatsApp's `wa_id` or user id). */
  readonly usuario: string | null;
  /** Only of the sandbox: milliseconds after which its simulated recipient answers. */
  readonly answerAfterMs?: number;
}

/**
 * Why a message was not accepted; decides what happens next:
 * - `transient`: temporary; retry later.
 * - `rate`: the sender exceeds its rate limit; all its messages wait.
 * - `config`: the sender cannot send until a person acts (token, template, payment); all its messages wait.
 * - `permanent`: this message cannot be delivered; a person decides.
 * - `unknown`: the request was sent without a response; the message may have been accepted.
 */
export type SendFailure = 'transient' | 'rate' | 'config' | 'permanent' | 'unknown';

export class SendError extends Error {
  /** The provider's answer, for support: see `answerWords`. Null if it did not answer. */
  answer: string | null = null;

  /**
   * @param message what happened and what to do, in Spanish for support; without phone numbers, tokens or the
   *   provider's own text, which may quote them.
   * @param code the provider's code, for example `131026` or `HTTP 503`; for logs and metrics.
   * @param retryAfterMs delay that the provider asks for.
   */
  constructor(
    readonly kind: SendFailure,
    message: string,
    readonly code: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** Why a message was not accepted, or did not arrive, as plain data. */
export type Failure = Pick<SendError, 'kind' | 'message' | 'code'>;

/** Injection token of the provider in use. */
export const PROVIDER = Symbol('messaging provider');

export interface MessagingProvider {
  readonly name: ProviderName;
  /** Whether it recognises a repeat by `OutboundMessage.id`, which makes sending again after a crash harmless. */
  readonly isIdempotent: boolean;
  /** Whether it is configured to send messages of this type; absent: of all types. */
  sends?(tipo: MensajeTipo): boolean;
  /** Sends one message; takes 10 s at most. @throws SendError, and nothing else. */
  send(message: OutboundMessage): Promise<Acceptance>;
}
