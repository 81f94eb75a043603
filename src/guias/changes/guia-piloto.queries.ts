import type { QueryConfig } from 'pg';
import { textTypes } from '../../platform/database/text-types.js';
import type { LockedGuia } from './guia-changes.queries.js';

type Guia = Pick<LockedGuia, 'comercio_id' | 'id'>;

/** The driver of a guide when something was recorded; no row: it was never assigned before. */
const AT = `select datos->>'piloto' as piloto from eventos
  where comercio_id = $1 and guia_id = $2 and tipo = 'guia.asignada' and creado_en <= $3
  order by creado_en desc, id desc limit 1`;

/** @param at ISO 8601, by our clock. */
export function findPilotoAt({ comercio_id, id }: Guia, at: string): QueryConfig {
  return { text: AT, values: [comercio_id, id, at] };
}

/**
 * SQL of the driver of a guide's last delivery, whose cash it is: who reported it, also where others applied it; else who was
 * named, else who had the guide when it was recorded. @param comercio, guia SQL of the guide's ids.
 */
export const deliverer = (comercio: string, guia: string): string => `select coalesce(
      case e.actor when 'piloto' then e.operador_id end, case o.actor when 'piloto' then o.operador_id end,
      (e.datos->>'piloto')::uuid,
      (select (a.datos->>'piloto')::uuid from eventos a where a.comercio_id = ${comercio} and a.guia_id = ${guia}
        and a.tipo = 'guia.asignada' and a.creado_en <= coalesce(o.creado_en, e.creado_en)
        order by a.creado_en desc, a.id desc limit 1)) as piloto
  from eventos e left join eventos o on o.comercio_id = ${comercio} and o.guia_id = ${guia} and o.id::text = e.datos->>'aplica'
  where e.comercio_id = ${comercio} and e.guia_id = ${guia} and e.tipo = 'guia.estado_cambiado'
    and e.datos->>'estado' = 'entregado'
  order by e.secuencia desc limit 1`;

/** The driver of a delivered guide as `piloto`; no row of one that was delivered before events were kept. */
export function findDeliverer({ comercio_id, id }: Guia): QueryConfig {
  return { text: deliverer('$1', '$2'), values: [comercio_id, id] };
}

/** When a guide was first assigned to a driver, and the time by the database's clock. ISO 8601. */
export interface AssignmentRow {
  /** Null if it never was. */
  desde: string | null;
  ahora: string;
}

const FIRST = `select clock_timestamp()::timestamptz(3) as ahora, (
    select min(creado_en) from eventos
    where comercio_id = $1 and guia_id = $2 and tipo = 'guia.asignada' and datos->>'piloto' = $3
  ) as desde`;

export function findFirstAssignment({ comercio_id, id }: Guia, pilotoId: string): QueryConfig {
  return { name: 'guia-piloto-desde', text: FIRST, values: [comercio_id, id, pilotoId], types: textTypes };
}

/** A row if there is such a driver. */
export function findPiloto(id: string): QueryConfig {
  return { text: 'select from pilotos where id = $1', values: [id] };
}
