import type { QueryConfig } from 'pg';
import type { Position } from '../../pagination/cursor.js';
import { HIGHEST_ID, LOWEST_ID } from '../../database/row-id.js';
import { toIso } from '../../database/text-types.js';
import type { GuiaEstado } from '../guia-estado.js';
import { LISTED, type GuiaRow } from '../guias.queries.js';

const COLUMNS = LISTED.join(', ');

/** The text that PostgreSQL sends for each column. */
type Written<Columns extends readonly (keyof GuiaRow)[]> = {
  readonly [I in keyof Columns]: null extends GuiaRow[Columns[I]] ? string | null : string;
};

/** A row from the texts of its columns, in the order of `LISTED`. */
export function toGuiaRow(values: Written<typeof LISTED>): GuiaRow {
  return {
    guia: values[0],
    id: values[1],
    external_ref: values[2],
    estado: values[3] as GuiaEstado,
    destinatario: values[4],
    telefono: values[5],
    direccion: values[6],
    departamento: values[7],
    municipio: values[8],
    referencia: values[9],
    contenido: values[10],
    notas: values[11],
    cod_amount: Number(values[12]),
    direccion_confirmada: values[13] === 't',
    creada_en: toIso(values[14]),
    actualizada_en: toIso(values[15]),
  };
}

/** Filters of a merchant's guides, combined with AND. */
export interface ListFilter {
  estado?: GuiaEstado;
  /** E.164. */
  telefono?: string;
  direccion_confirmada?: boolean;
  external_ref?: string;
  /** Guide number. */
  guia?: string;
  /** Changed at this time or later, in ms since 1970. Sorts by last change. */
  actualizada_desde?: number;
  /** Lowest id. */
  from?: string;
  /** The id above the highest one. */
  before?: string;
}

/** The filters by one value, in parameter order: column, part of the statement's name, type. */
const BY_VALUE = [
  ['estado', 'estado', 'text'],
  ['telefono', 'telefono', 'text'],
  ['direccion_confirmada', 'confirmada', 'boolean'],
  ['external_ref', 'ref', 'text'],
  ['guia', 'guia', 'text'],
] as const;

/**
 * The first `rows` guides after `after`, newest first; with `actualizada_desde` by last change, oldest first.
 * Ids contain the creation time, so in the first order the position and the dates are one range of the key.
 *
 * Each combination of filters is a prepared statement of its own. The subselects hide values from the
 * planner: if it saw that most guides of all merchants match, it would scan the primary key, and read every
 * guide of a merchant with none.
 */
export function listGuias(
  comercioId: string,
  filter: ListFilter,
  { after, rows }: { after?: Position; rows: number },
): QueryConfig {
  const name = ['guia-list'];
  const values: unknown[] = [];
  const param = (value: unknown) => `$${values.push(value)}`;
  // In the order of changes, the index finds guides by `indexed`, and each is then checked for `checked`.
  const indexed = [`comercio_id = ${param(comercioId)}`];
  const checked: string[] = [];
  for (const [column, part, type] of BY_VALUE) {
    if (filter[column] === undefined) continue;
    name.push(part);
    const conditions = column === 'telefono' ? indexed : checked;
    conditions.push(`${column} = (select ${param(filter[column])}::${type})`);
  }

  const isByChange = filter.actualizada_desde !== undefined;
  if (isByChange) {
    name.push('actualizada');
    const { ms, id } = after ?? { ms: filter.actualizada_desde, id: LOWEST_ID };
    // Milliseconds, because PostgreSQL cannot read every ISO 8601 year.
    indexed.push(`(actualizada_en, id) > (to_timestamp(${param(ms)}::float8 / 1000), ${param(id)})`);
  }
  const hasDates = filter.from !== undefined || filter.before !== undefined;
  if (isByChange && hasDates) name.push('ids');
  if (!isByChange || hasDates) {
    const before = (isByChange ? undefined : after?.id) ?? filter.before ?? HIGHEST_ID;
    checked.push(`id < ${param(before)}`, `id >= ${param(filter.from ?? LOWEST_ID)}`);
  }

  const all = [...indexed, ...checked].join(' and ');
  let text = `select ${COLUMNS} from guias where ${all}`;
  // At most one guide has a number or a reference.
  const isOne = filter.external_ref !== undefined || filter.guia !== undefined;
  if (!isOne) {
    const order = isByChange ? 'order by actualizada_en, id' : 'order by id desc';
    // `offset 0` is an optimisation fence. Without it the planner expects so few guides that it would read
    // and sort all of them for each page.
    if (isByChange && checked.length > 0)
      text = `select ${COLUMNS} from (
          select * from guias where ${indexed.join(' and ')} ${order} offset 0
        ) cambios where ${checked.join(' and ')}`;
    text += ` ${order} limit ${param(rows)}`;
  }
  return { name: name.join('-'), text, values };
}
