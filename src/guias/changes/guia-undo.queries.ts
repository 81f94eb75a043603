import type { QueryConfig } from 'pg';
import { textTypes } from '../../platform/database/text-types.js';
import type { LockedGuia } from './guia-changes.queries.js';
import { MOVE_TIPOS } from '../guia/standing-moves.js';

type Guia = Pick<LockedGuia, 'comercio_id' | 'id'>;

const MOVES = `select tipo, actor, operador_id, secuencia, creado_en, ocurrido_en, datos->>'estado_anterior' as estado_anterior,
    datos->>'dicho_en' as dicho_en
  from eventos where comercio_id = $1 and guia_id = $2 and tipo = any ($3) order by secuencia`;

/** `MoveRow`s: the events of a guide that changed its state, in order. */
export function findMoves({ comercio_id, id }: Guia): QueryConfig {
  return { text: MOVES, values: [comercio_id, id, MOVE_TIPOS], types: textTypes };
}

const OMITTED = `select from (
    select m.estado from eventos e join mensajes m on m.id = e.id
    where e.comercio_id = $1 and e.guia_id = $2 and e.tipo in ('guia.creada', 'guia.confirmacion_pedida')
      and e.secuencia >= $3
    order by e.secuencia desc limit 1
  ) ultimo where estado = 'omitido'`;

/** A row if the last request for the destination to the guide's present phone was not sent, on purpose. */
export function findOmittedRequest({
  comercio_id,
  id,
  telefono_secuencia,
}: Guia & Pick<LockedGuia, 'telefono_secuencia'>): QueryConfig {
  return { text: OMITTED, values: [comercio_id, id, telefono_secuencia ?? 0] };
}

/**
 * Sets `estado_en` to an earlier time, ISO 8601, or to null, which `updateGuia` refuses. Its caller then writes the version and
 * the event.
 */
export function restoreEstadoEn({ comercio_id, id }: Guia, estadoEn: string | null): QueryConfig {
  const text = 'update guias set estado_en = $3 where comercio_id = $1 and id = $2';
  return { text, values: [comercio_id, id, estadoEn] };
}

/** The time by the database's clock, as `ahora`, ISO 8601. */
export function findNow(): QueryConfig {
  return { text: 'select clock_timestamp()::timestamptz(3) as ahora', types: textTypes };
}
