/**
 * The life of a guide as data: each state with the states it may move to. Terminal states have none.
 */
export const TRANSICIONES = {
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

export type GuiaEstado = keyof typeof TRANSICIONES;

/** All states, in the order a guide usually meets them. */
export const GUIA_ESTADOS = Object.keys(TRANSICIONES) as GuiaEstado[];

/** The state of a new guide. */
export const INITIAL_ESTADO: GuiaEstado = 'aceptado';

export function isGuiaEstado(text: unknown): text is GuiaEstado {
  return typeof text === 'string' && Object.hasOwn(TRANSICIONES, text);
}

/** Where a guide in `estado` may go next. */
export function nextEstados(estado: GuiaEstado): readonly GuiaEstado[] {
  return TRANSICIONES[estado];
}

/** From where a guide may come into `estado`. */
export function previousEstados(estado: GuiaEstado): readonly GuiaEstado[] {
  return GUIA_ESTADOS.filter((anterior) => canMove(anterior, estado));
}

export function canMove(de: GuiaEstado, a: GuiaEstado): boolean {
  return nextEstados(de).includes(a);
}

/** States in which it still matters where the recipient is: the courier has not delivered, and still may. */
export const OPEN_ESTADOS: readonly GuiaEstado[] = [
  'aceptado',
  'en_camino_a_recoger',
  'recogido',
  'en_ruta',
  'intento_fallido',
];

/** States in which the merchant may still change where a guide goes to: nobody is on the way there. */
export const EDITABLE_ESTADOS: readonly GuiaEstado[] = [
  'aceptado',
  'en_camino_a_recoger',
  'recogido',
  'intento_fallido',
];
