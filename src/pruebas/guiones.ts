import { INITIAL_ESTADO, type GuiaEstado } from '../guias/guia/guia-estado.js';
import type { Motivo } from '../guias/guia/guia-motivo.js';

/** A step: the recipient confirms the address, or the courier moves the guide. */
export type Paso = { paso: 'confirmacion' } | PasoDeMensajero;

/** A move, with a courier's report of it. */
interface PasoDeMensajero {
  paso: GuiaEstado;
  motivo?: Motivo;
  nota?: string;
}

const RECOGIDA: PasoDeMensajero[] = [
  { paso: 'en_camino_a_recoger' },
  { paso: 'recogido' },
  { paso: 'en_ruta' },
];
const AUSENTE: PasoDeMensajero = { paso: 'intento_fallido', motivo: 'ausente', nota: 'Nadie abrió.' };
const RECHAZADO: PasoDeMensajero = { paso: 'intento_fallido', motivo: 'rechazado', nota: 'Ya no lo quiere.' };

/** The moves of a simulated courier for a new guide, by the script's name. */
const PASOS = {
  entrega: [...RECOGIDA, { paso: 'entregado' }],
  intento_y_entrega: [...RECOGIDA, AUSENTE, { paso: 'en_ruta' }, { paso: 'entregado' }],
  devolucion: [...RECOGIDA, RECHAZADO, { paso: 'en_devolucion' }, { paso: 'devuelto' }],
  extravio: [...RECOGIDA, { paso: 'extraviado' }],
} satisfies Record<string, PasoDeMensajero[]>;

export type Guion = keyof typeof PASOS;

export const GUIONES = Object.keys(PASOS) as Guion[];

export const estadosOf = (guion: Guion): GuiaEstado[] => PASOS[guion].map(({ paso }) => paso);

/**
 * The script's steps after its first visit to the guide's state, preceded by a confirmation if the address is
 * unconfirmed. Undefined if the script does not continue from that state.
 */
export function pasosFrom(
  guion: Guion,
  { estado, isConfirmed }: { estado: GuiaEstado; isConfirmed: boolean },
): Paso[] | undefined {
  const pasos: PasoDeMensajero[] = PASOS[guion];
  const at = pasos.findIndex(({ paso }) => paso === estado);
  if (at < 0 && estado !== INITIAL_ESTADO) return undefined;
  const rest = pasos.slice(at + 1);
  if (rest.length === 0) return undefined;
  return isConfirmed ? rest : [{ paso: 'confirmacion' }, ...rest];
}
