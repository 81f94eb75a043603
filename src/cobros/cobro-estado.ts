/** States of the amount of a guide, with their meanings for the documentation. */
export const COBRO_ESTADOS = {
  por_cobrar: 'falta entregar la guía',
  cobrado: 'se cobró y falta liquidarlo',
  liquidado: 'es parte de una liquidación',
  sin_cobro: 'la guía se canceló, se devolvió o se extravió, o se pagó directo al comercio',
} as const;

export type CobroEstado = keyof typeof COBRO_ESTADOS;

export const COBRO_ESTADO_NAMES = Object.keys(COBRO_ESTADOS) as CobroEstado[];

export const COLLECTED_ESTADOS: readonly CobroEstado[] = ['cobrado', 'liquidado'];

/** States with a time: the collected ones, and payments to the merchant. */
export const TIMED_ESTADOS: readonly CobroEstado[] = [...COLLECTED_ESTADOS, 'sin_cobro'];
