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
