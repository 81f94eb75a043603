import {
  SendError,
  type Acceptance,
  type MensajeTipo,
  type MessagingProvider,
  type OutboundMessage,
} from '../messaging-provider.js';

/** Tries that fail, to a number that ends in 0003. */
const FAILURES = 3;

/** Milliseconds until a number that ends in 0001 answers. */
const ANSWER_MS = 2_000;

/** Numbers that fail on purpose, by the code of their failure. */
export const SANDBOX_PROBLEMS = {
  'SANDBOX 0002': 'El número de prueba terminado en 0002 no recibe mensajes',
  'SANDBOX 0003': 'El número de prueba terminado en 0003 falla tres veces',
} as const;

/**
 * Sends nothing and accepts everything; `guias sandbox inbox` shows the messages. The end of the number simulates
 * what real recipients do: 0001 confirms by itself, 0002 can never be reached, 0003 only at the fourth try.
 */
export class SandboxProvider implements MessagingProvider {
  readonly name = 'sandbox';
  readonly isIdempotent = true;

  send({ id, tipo, telefono, intentos }: OutboundMessage): Promise<Acceptance> {
    const failure = telefono === null ? undefined : failureOf(telefono, intentos);
    return failure
      ? Promise.reject(failure)
      : Promise.resolve({ proveedorId: `sandbox-${id}`, usuario: null, ...answerOf(tipo, telefono) });
  }
}

function answerOf(tipo: MensajeTipo, telefono: string | null): Pick<Acceptance, 'answerAfterMs'> {
  return tipo !== 'pin_de_entrega' && telefono?.endsWith('0001') ? { answerAfterMs: ANSWER_MS } : {};
}

function failureOf(telefono: string, intentos: number): SendError | undefined {
  if (telefono.endsWith('0002'))
    return new SendError(
      'permanent',
      `${SANDBOX_PROBLEMS['SANDBOX 0002']}. Con un número real: pida al comercio que corrija el teléfono de la guía.`,
      'SANDBOX 0002',
    );
  if (telefono.endsWith('0003') && intentos < FAILURES)
    return new SendError(
      'transient',
      `${SANDBOX_PROBLEMS['SANDBOX 0003']}. Reintente.`,
      'SANDBOX 0003',
      1_000,
    );
  return undefined;
}
