import type { MensajeEstado } from '../../guias/guia/mensaje-estado.js';
import type { Tone } from '../../guias/guia/tone.js';

interface EstadoDefinition {
  /** For support. Begins in lower case. */
  name: string;
  tone: Tone;
  /**
   * A report of the provider only ever raises it. A delivery may be reported after a failure (on another of the
   * recipient's devices), but no failure after a delivery.
   */
  rank: number;
}

const DEFINITIONS = {
  /** To be sent, now or at `proximo_en`. */
  pendiente: { name: 'por enviar', tone: 'care', rank: 0 },
  /** Being sent. A later try that finds it so concludes that the process died. */
  enviando: { name: 'enviándose', tone: 'care', rank: 0 },
  /** Sent, but without a response; waits for a status before it is sent again. */
  incierto: { name: 'no se sabe si salió', tone: 'care', rank: 0 },
  aceptado: { name: 'enviado', tone: 'off', rank: 1 },
  entregado: { name: 'llegó al teléfono', tone: 'good', rank: 3 },
  leido: { name: 'leído', tone: 'good', rank: 4 },
  /** Not sent again unless a person retries it. */
  fallido: { name: 'falló', tone: 'bad', rank: 2 },
  /** Deliberately not sent: no longer needed, or not allowed. */
  omitido: { name: 'no se envió, a propósito', tone: 'off', rank: 0 },
} as const satisfies Record<MensajeEstado, EstadoDefinition>;

export type { MensajeEstado };

export const ESTADOS_DE_MENSAJE: Readonly<Record<MensajeEstado, EstadoDefinition>> = DEFINITIONS;

export const MENSAJE_ESTADOS = Object.keys(ESTADOS_DE_MENSAJE) as MensajeEstado[];

export type EstadoInformado = 'aceptado' | 'entregado' | 'leido' | 'fallido';

/** The states from which a report moves a message to `informado`. */
export function estadosBefore(informado: EstadoInformado): MensajeEstado[] {
  return MENSAJE_ESTADOS.filter(
    (estado) => ESTADOS_DE_MENSAJE[estado].rank < ESTADOS_DE_MENSAJE[informado].rank,
  );
}
