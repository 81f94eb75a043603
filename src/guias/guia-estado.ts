/** Each state of a guide with the states that it may move to; terminal states have none. */
const TRANSITIONS = {
  aceptado: ['en_camino_a_recoger', 'cancelado'],
  en_camino_a_recoger: ['recogido', 'aceptado', 'cancelado'],
  recogido: ['en_ruta', 'en_devolucion', 'extraviado'],
  en_ruta: ['entregado', 'intento_fallido', 'extraviado'],
  intento_fallido: ['en_ruta', 'en_devolucion'],
  entregado: [],
  en_devolucion: ['devuelto', 'extraviado'],
  devuelto: [],
  cancelado: [],
  extraviado: [],
} as const satisfies Record<string, readonly string[]>;

export type GuiaEstado = keyof typeof TRANSITIONS;

/** All states, in the usual order. */
export const GUIA_ESTADOS = Object.keys(TRANSITIONS) as GuiaEstado[];

export const INITIAL_ESTADO: GuiaEstado = 'aceptado';

export function isGuiaEstado(text: unknown): text is GuiaEstado {
  return typeof text === 'string' && Object.hasOwn(TRANSITIONS, text);
}

export function nextEstados(estado: GuiaEstado): readonly GuiaEstado[] {
  return TRANSITIONS[estado];
}

export function previousEstados(estado: GuiaEstado): readonly GuiaEstado[] {
  return GUIA_ESTADOS.filter((anterior) => canMove(anterior, estado));
}

export function canMove(de: GuiaEstado, a: GuiaEstado): boolean {
  return nextEstados(de).includes(a);
}

/** States in which the recipient's location still matters: the guide may still be delivered. */
export const OPEN_ESTADOS: readonly GuiaEstado[] = [
  'aceptado',
  'en_camino_a_recoger',
  'recogido',
  'en_ruta',
  'intento_fallido',
];

/** States that a guide does not leave. */
export const FINAL_ESTADOS: readonly GuiaEstado[] = GUIA_ESTADOS.filter(
  (estado) => TRANSITIONS[estado].length === 0,
);
