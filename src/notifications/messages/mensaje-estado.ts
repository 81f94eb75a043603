/** The life of a message. What leaves us climbs from `pendiente` to `leido`; the rest are ends, or waits. */
export const MENSAJE_ESTADOS = [
  /** To be sent, now or at `proximo_en`. */
  'pendiente',
  /** Being sent; found so by a later try, its process died in the middle. */
  'enviando',
  /** It left, and no answer came: it waits for a status before it is sent again. */
  'incierto',
  /** The provider has it. */
  'aceptado',
  /** It is on the recipient's phone. */
  'entregado',
  'leido',
  /** It will not be sent unless a person retries it. */
  'fallido',
  /** It was not sent, on purpose: there was no point any more, or it was not allowed. */
  'omitido',
] as const;

export type MensajeEstado = (typeof MENSAJE_ESTADOS)[number];

/** What a provider reports of a message it has. */
export type EstadoInformado = 'aceptado' | 'entregado' | 'leido' | 'fallido';

/**
 * How far a state is; a report changes it only upwards. A delivery may be reported after a failure (of
 * another of the recipient's devices), never the reverse.
 */
const RANGO: Record<MensajeEstado, number> = {
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
export function estadosAntesDe(informado: EstadoInformado): MensajeEstado[] {
  return MENSAJE_ESTADOS.filter((estado) => RANGO[estado] < RANGO[informado]);
}
