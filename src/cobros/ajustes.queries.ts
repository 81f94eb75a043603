import type { QueryConfig } from 'pg';
import { HIGHEST_ID } from '../platform/database/row-id.js';
import type { Ajuste } from './ajuste.entity.js';
import { idAmong, type Whose } from './whose.js';

/** An adjustment as it is listed; the amount is a text. */
export interface AjusteRow extends Pick<
  Ajuste,
  'id' | 'guia_id' | 'moneda' | 'monto' | 'motivo' | 'creado_en' | 'automatico'
> {
  /** The merchant's public id. */
  comercio: string;
  comercio_nombre: string;
  /** Guide number. */
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
  /** Id of a settlement of the merchant. */
  liquidacion?: string;
}

const SELECT = `select a.id, coalesce(c.prueba_de, c.id) as comercio, c.nombre as comercio_nombre, g.guia, a.guia_id, a.moneda,
    a.monto, a.motivo, a.creado_en, a.automatico, a.liquidacion_id as liquidacion
  from ajustes a join comercios c on c.id = a.comercio_id
  left join guias g on g.comercio_id = a.comercio_id and g.id = a.guia_id`;

/** SQL condition. @param given makes a placeholder of a value. */
function ofWhom(whose: Whose, given: (value: unknown) => string): string {
  if ('comercioId' in whose) return `a.comercio_id = ${given(whose.comercioId)}`;
  if (whose.comercio !== undefined) return `a.comercio_id = ${idAmong(whose, given(whose.comercio))}`;
  return `(c.prueba_de is not null) = ${given(whose.isTest)}`;
}

/** The first `rows` adjustments of a merchant, by its internal id, or of those that an operator asks for, newest first. */
export function listAjustes(
  whose: Whose,
  { id, estado, from, until, liquidacion }: AjusteFilter,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  const values: unknown[] = [rows, after?.id ?? HIGHEST_ID];
  const given = (value: unknown) => `$${values.push(value)}`;
  // Milliseconds, because PostgreSQL cannot read every ISO 8601 year.
  const time = (ms: number) => `to_timestamp(${given(ms)}::float8 / 1000)`;
  const conditions = [
    ofWhom(whose, given),
    'a.id < $2',
    id !== undefined && `a.id = ${given(id)}`,
    estado !== undefined && `a.liquidacion_id is ${estado === 'pendiente' ? '' : 'not '}null`,
    from !== undefined && `a.creado_en >= ${time(from)}`,
    until !== undefined && `a.creado_en < ${time(until + 1)}`,
    liquidacion !== undefined && `a.liquidacion_id = ${given(liquidacion)}`,
  ];
  const where = conditions.filter((condition) => condition !== false).join(' and ');
  return { text: `${SELECT} where ${where} order by a.id desc limit $1`, values };
}
