import { ESTADOS, FINAL_ESTADOS } from '../../../guias/guia/guia-estado.js';
import { grouped } from '../../kit/elements.js';
import type { ScannedRow, UnusualRow } from './dispatch.queries.js';

/** Guides that a driver's page shows well. */
const MAX_OF_DRIVER = 150;

/** Warnings before an assignment, as sentences. @param nombre of the driver; undefined for nobody. */
export function unusualIn(
  { sin_confirmar, en_ruta, de_otro, quedan }: UnusualRow,
  nombre: string | undefined,
): string[] {
  const count = (n: number, one: string, many: string) =>
    n > 0 && (n === 1 ? `1 ${one}` : `${grouped(n)} ${many}`);
  return [
    nombre !== undefined && count(sin_confirmar, 'está sin confirmar.', 'están sin confirmar.'),
    count(en_ruta, 'ya está en ruta.', 'ya están en ruta.'),
    nombre !== undefined && count(de_otro, 'era de otro piloto.', 'eran de otro piloto.'),
    nombre !== undefined &&
      quedan > MAX_OF_DRIVER &&
      `${nombre} queda con ${grouped(quedan)} guías, más de ${MAX_OF_DRIVER}.`,
  ].filter((text) => text !== false);
}

/** Why a scanned label is not simply added. */
export type Aviso = 'desconocida' | 'terminada' | 'asignada';

/** A scanned label, as the page's script shows it. */
export interface Scanned {
  guia: string;
  /** Null for a guide that is to be moved and that nobody has. */
  aviso: Aviso | null;
  texto: string;
}

/** @param row undefined where no real guide has the number. */
export function toScanned(guia: string, row: ScannedRow | undefined): Scanned {
  if (!row) return { guia, aviso: 'desconocida', texto: 'No existe una guía con ese número' };
  const { estado, municipio, direccion_confirmada, piloto } = row;
  if (FINAL_ESTADOS.includes(estado))
    return { guia, aviso: 'terminada', texto: `Ya está en «${ESTADOS[estado].name}»: no se elige` };
  const place = [municipio, !direccion_confirmada && 'sin confirmar'].filter(Boolean).join(', ');
  if (piloto !== null) return { guia, aviso: 'asignada', texto: `Ya la lleva ${piloto} · ${place}` };
  return { guia, aviso: null, texto: place };
}
