import type { Tone } from './tone.js';

interface EstadoDefinition {
  /** The states that a guide may move to from it; a final state has none. */
  next: readonly string[];
  /** For staff and merchants. Sentences for recipients are in `web/destinatario/state-texts.ts`. */
  name: string;
  tone: Tone;
  /** The guide may still be delivered, so the recipient's location still matters. */
  isOpen: boolean;
}

/**
 * In the usual order, which the document, error texts and `docs/api.md` share. A new state is a new value of a list that v1
 * promises never to extend (`docs/api.md`, Compatibilidad): it belongs into v2.
 */
const DEFINITIONS = {
  aceptado: {
    next: ['en_camino_a_recoger', 'cancelado'],
    name: 'Por recoger',
    tone: 'off',
    isOpen: true,
  },
  en_camino_a_recoger: {
    next: ['recogido', 'aceptado', 'cancelado'],
    name: 'En camino a recoger',
    tone: 'off',
    isOpen: true,
  },
  recogido: {
    next: ['en_ruta', 'en_devolucion', 'extraviado'],
    name: 'Recogida',
    tone: 'off',
    isOpen: true,
  },
  en_ruta: {
    next: ['entregado', 'intento_fallido', 'recogido', 'extraviado'],
    name: 'En ruta',
    tone: 'way',
    isOpen: true,
  },
  intento_fallido: {
    next: ['en_ruta', 'en_devolucion'],
    name: 'No se pudo entregar',
    tone: 'care',
    isOpen: true,
  },
  entregado: { next: [], name: 'Entregada', tone: 'good', isOpen: false },
  en_devolucion: { next: ['devuelto', 'extraviado'], name: 'En devolución', tone: 'care', isOpen: false },
  devuelto: { next: [], name: 'Devuelta al comercio', tone: 'off', isOpen: false },
  cancelado: { next: [], name: 'Cancelada', tone: 'off', isOpen: false },
  extraviado: { next: [], name: 'Extraviada', tone: 'bad', isOpen: false },
} as const satisfies Record<string, EstadoDefinition>;

export type GuiaEstado = keyof typeof DEFINITIONS;

/** The states of a guide: the one list of them, and the table of moves. */
export const ESTADOS: Readonly<Record<GuiaEstado, EstadoDefinition & { next: readonly GuiaEstado[] }>> =
  DEFINITIONS;

/** All states, in the usual order. */
export const GUIA_ESTADOS = Object.keys(ESTADOS) as GuiaEstado[];

export const INITIAL_ESTADO: GuiaEstado = 'aceptado';

export function isGuiaEstado(text: unknown): text is GuiaEstado {
  return typeof text === 'string' && Object.hasOwn(ESTADOS, text);
}

export function nextEstados(estado: GuiaEstado): readonly GuiaEstado[] {
  return ESTADOS[estado].next;
}

export function canMove(de: GuiaEstado, a: GuiaEstado): boolean {
  return nextEstados(de).includes(a);
}

/** States in which the guide may still be delivered. */
export const OPEN_ESTADOS: readonly GuiaEstado[] = GUIA_ESTADOS.filter((estado) => ESTADOS[estado].isOpen);

/** The states to which a driver moves a guide. */
export const PILOTO_ESTADOS: readonly GuiaEstado[] = [
  'en_camino_a_recoger',
  'recogido',
  'en_ruta',
  'entregado',
  'intento_fallido',
];

export const FINAL_ESTADOS: readonly GuiaEstado[] = GUIA_ESTADOS.filter(
  (estado) => ESTADOS[estado].next.length === 0,
);
