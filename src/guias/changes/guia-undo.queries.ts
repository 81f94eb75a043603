import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';
import type { LockedGuia } from './guia-changes.queries.js';
import { MOVE_TIPOS } from '../standing-moves.js';

type Guia = Pick<LockedGuia, 'comercio_id' | 'id'>;

const MOVES = `select tipo, actor, operador_id, secuencia, creado_en, ocurrido_en, datos->>'estado_anterior' as estado_anterior
  from eventos where comercio_id = $1 and guia_id = $2 and tipo = any ($3) order by secuencia`;

/** `MoveRow`s: the events of a guide that changed its state, in order. */
export function findMoves({ comercio_id, id }: Guia): QueryConfig {
  return { text: MOVES, values: [comercio_id, id, MOVE_TIPOS], types: textTypes };
}

/** Sets since when a guide is in its state, as moves cannot: to an earlier time, ISO 8601, or to null. */
export function restoreEstadoEn({ comercio_id, id }: Guia, estadoEn: string | null): QueryConfig {
  const text = 'update guias set estado_en = $3 where comercio_id = $1 and id = $2';
  return { text, values: [comercio_id, id, estadoEn] };
}
