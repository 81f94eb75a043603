import type { QueryConfig } from 'pg';
import { empty, join, raw, sql, statement, type Sql } from '../platform/database/sql.js';
import { HIGHEST_ID } from '../platform/database/row-id.js';
import type { Ajuste } from './ajuste.entity.js';
import { idAmong, type Whose } from './whose.js';

export interface AjusteRow extends Pick<
  Ajuste,
  'id' | 'guia_id' | 'moneda' | 'monto' | 'motivo' | 'creado_en' | 'automatico'
> {
  /** The merchant's public id. */
  comercio: string;
  comercio_nombre: string;
  guia: string | null;
  liquidacion: string | null;
}

export interface AjusteFilter {
  id?: string;
  estado?: 'pendiente' | 'liquidado';
  /** Made at this time or later, in ms since 1970. */
  from?: number;
  /** Made at this time or earlier, in ms since 1970. */
  until?: number;
  liquidacion?: string;
}

const SELECT = `select a.id, coalesce(c.prueba_de, c.id) as comercio, c.nombre as comercio_nombre, g.guia, a.guia_id, a.moneda,
    a.monto, a.motivo, a.creado_en, a.automatico, a.liquidacion_id as liquidacion
  from ajustes a join comercios c on c.id = a.comercio_id
  left join guias g on g.comercio_id = a.comercio_id and g.id = a.guia_id`;

function isOf(whose: Whose): Sql {
  if ('comercioId' in whose) return sql`a.comercio_id = ${whose.comercioId}`;
  if (whose.comercio !== undefined) return sql`a.comercio_id = ${idAmong(whose)}`;
  return sql`(c.prueba_de is not null) = ${whose.isTest}`;
}

/** The first `rows` adjustments of a merchant, by its internal id, or of those that an operator asks for, newest first. */
export function listAjustes(
  whose: Whose,
  { id, estado, from, until, liquidacion }: AjusteFilter,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  // Milliseconds, because PostgreSQL cannot read every ISO 8601 year.
  const time = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`;
  const conditions = [
    isOf(whose),
    sql`a.id < ${after?.id ?? HIGHEST_ID}`,
    id !== undefined && sql`a.id = ${id}`,
    estado !== undefined && sql`a.liquidacion_id is ${estado === 'pendiente' ? empty : raw('not')} null`,
    from !== undefined && sql`a.creado_en >= ${time(from)}`,
    until !== undefined && sql`a.creado_en < ${time(until + 1)}`,
    liquidacion !== undefined && sql`a.liquidacion_id = ${liquidacion}`,
  ].filter((condition) => condition !== false);
  return statement(sql`${raw(SELECT)} where ${join(conditions, ' and ')} order by a.id desc limit ${rows}`);
}
