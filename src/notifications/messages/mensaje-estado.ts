/** States of a message. On success it goes from `pendiente` through `enviando`, `aceptado` and `entregado` to `leido`. */
export const MENSAJE_ESTADOS = [
  /** To be sent, now or at `proximo_en`. */
  'pendiente',
  /** Being sent. A later try that finds it so concludes that the process died. */
  'enviando',
  /** Sent, but without a response; waits for a status before it is sent again. */
  'incierto',
  /** Accepted by the provider. */
  'aceptado',
  /** Delivered to the recipient's phone. */
  'entregado',
  'leido',
  /** Not sent again unless a person retries it. */
  'fallido',
  /** Deliberately not sent: no longer needed, or not allowed. */
  'omitido',
] as const;

export type MensajeEstado = (typeof MENSAJE_ESTADOS)[number];

/** States that a provider reports. */
export type EstadoInformado = 'aceptado' | 'entregado' | 'leido' | 'fallido';

/**
 * A report only ever raises the rank. A delivery may be reported after a failure (on another of the recipient's devices), but
 * no failure after a delivery.
 */
const RANK: Record<MensajeEstado, number> = {
  pendiente: 0,
  enviando: 0,
  incierto: 0,
  omitido: 0,
  aceptado: 1,
  fallido: 2,
  entregado: 3,
  leido: 4,
};

/** The states from which a report moves a message to `informado`. */
export function estadosBefore(informado: EstadoInformado): MensajeEstado[] {
  return MENSAJE_ESTADOS.filter((estado) => RANK[estado] < RANK[informado]);
}
