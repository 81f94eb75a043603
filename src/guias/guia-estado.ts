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
export const ESTADO_INICIAL: GuiaEstado = 'aceptado';

export function isGuiaEstado(text: unknown): text is GuiaEstado {
  return typeof text === 'string' && Object.hasOwn(TRANSICIONES, text);
}

/** Where a guide in `estado` may go next. */
export function siguientesEstados(estado: GuiaEstado): readonly GuiaEstado[] {
  return TRANSICIONES[estado];
}

/** From where a guide may come into `estado`. */
export function anterioresEstados(estado: GuiaEstado): readonly GuiaEstado[] {
  return GUIA_ESTADOS.filter((anterior) => puedePasar(anterior, estado));
}

export function puedePasar(de: GuiaEstado, a: GuiaEstado): boolean {
  return siguientesEstados(de).includes(a);
}

/** An intermediate state may still change; a terminal one never does. */
export function esIntermedio(estado: GuiaEstado): boolean {
  return siguientesEstados(estado).length > 0;
}

/** States in which it still matters where the recipient is: the courier has not delivered, and still may. */
export const ESTADOS_ABIERTOS: readonly GuiaEstado[] = [
  'aceptado',
  'en_camino_a_recoger',
  'recogido',
  'en_ruta',
  'intento_fallido',
];

/** States in which the merchant may still change where a guide goes to: nobody is on the way there. */
export const ESTADOS_EDITABLES: readonly GuiaEstado[] = [
  'aceptado',
  'en_camino_a_recoger',
  'recogido',
  'intento_fallido',
];
