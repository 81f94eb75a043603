/** What a message is for; each provider decides how to say it. */
export const MENSAJE_TIPOS = [
  /** Asks the recipient of a guide to confirm where they are; the only one that starts a conversation. */
  'confirmacion_ubicacion',
  /** Answers "Enviar ubicación": opens the app's own location picker. */
  'pedir_ubicacion',
  /** A location came and several guides wait for one: asks which it is for. */
  'elegir_guia',
  /** Thanks for a location that confirmed a guide. */
  'ubicacion_recibida',
  /** A location came too late: the guide is closed, or was confirmed a while ago. */
  'guia_cerrada',
  /** Says how to answer; after a text that says nothing to us, at most once a day. */
  'ayuda',
  /** Acknowledges an opt-out, or an opt-in. */
  'baja',
  'alta',
] as const;

export type MensajeTipo = (typeof MENSAJE_TIPOS)[number];

/** A message ready to leave. */
export interface OutboundMessage {
  /** Our id, UUID; the same on every retry. */
  readonly id: string;
  /** Tries before this one, 0 on the first; counted outside the process, which may restart between them. */
  readonly intentos: number;
  readonly tipo: MensajeTipo;
  /** Recipient in E.164, `+50255551234`; null where only the app's own user id is known. */
  readonly telefono: string | null;
  /** The recipient's id in the app (WhatsApp's business-scoped user id), where the app has told it. */
  readonly usuario: string | null;
  /** The whole message in Spanish, link included: for apps that only know text. */
  readonly texto: string;
  /** Only of `confirmacion_ubicacion`: the page's address, and the part of it that is secret. */
  readonly enlace: string | null;
  readonly token: string | null;
  /** Guide number and merchant's name; null where the message is about no guide. */
  readonly guia: string | null;
  readonly comercio: string | null;
  /** Recipient's name; may be empty. */
  readonly nombre: string;
  /** Only of `elegir_guia`: what the recipient may choose; 1 to 10. `id` comes back as the payload of the answer. */
  readonly opciones: readonly { id: string; titulo: string }[];
}

/** The provider has taken the message. */
export interface Acceptance {
  /** The provider's id of the message; statuses and answers name it. Null where it gives none. */
  readonly proveedorId: string | null;
  /** The recipient's id in the app, where the provider tells it (WhatsApp's `wa_id` or user id). */
  readonly usuario: string | null;
  /** Only of the sandbox: milliseconds after which its pretended recipient answers. */
  readonly answersInMs?: number;
}

/**
 * Why a message was not taken, and so what to do:
 * - `transient`: nobody's fault; try again later.
 * - `rate`: the sender as a whole is too fast; all of its messages wait.
 * - `config`: the sender cannot send at all until a person mends it (token, template, payment); all wait, nothing is lost.
 * - `permanent`: this message can never be delivered; wait for a person.
 * - `unknown`: the request left and no answer came; it may have been taken.
 */
export type SendFailure = 'transient' | 'rate' | 'config' | 'permanent' | 'unknown';

export class SendError extends Error {
  /**
   * @param causa one Spanish sentence for support: what happened and what to do; without phone numbers, tokens
   *   or the provider's own text, which may quote them.
   * @param code the provider's code, like `131026` or `HTTP 503`; for logs and metrics.
   * @param retryAfterMs how long the provider asks to wait, where it does.
   */
  constructor(
    readonly kind: SendFailure,
    readonly causa: string,
    readonly code: string,
    readonly retryAfterMs?: number,
  ) {
    super(causa);
  }
}

/** The way in use, for constructors. */
export const PROVIDER = Symbol('messaging provider');

/** One way to reach recipients. */
export interface MessagingProvider {
  readonly name: 'sandbox' | 'webhook' | 'whatsapp';
  /** Whether it recognises a repeat by `OutboundMessage.id`, so that sending again after a crash is harmless. */
  readonly isIdempotent: boolean;
  /**
   * Hands one message over; takes 10 s at most.
   * @throws SendError, and nothing else.
   */
  send(message: OutboundMessage): Promise<Acceptance>;
}
