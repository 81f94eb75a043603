import type { QueryConfig } from 'pg';
import type { Position } from '../../pagination/cursor.js';
import { HIGHEST_ID, LOWEST_ID } from '../../database/row-id.js';
import { toIso } from '../../database/text-types.js';
import type { GuiaEstado } from '../guia-estado.js';
import { LISTED, type GuiaRow } from '../guias.queries.js';

const COLUMNS = LISTED.join(', ');

/** What PostgreSQL writes for some columns. */
type Written<Columns extends readonly (keyof GuiaRow)[]> = {
  readonly [I in keyof Columns]: null extends GuiaRow[Columns[I]] ? string | null : string;
};

/** A guide of a page, from its values in the order of `LISTED`. */
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

/** Which of a merchant's guides. All that are given hold. */
export interface ListFilter {
  estado?: GuiaEstado;
  /** E.164. */
  telefono?: string;
  direccion_confirmada?: boolean;
  external_ref?: string;
  /** Guide number. */
  guia?: string;
  /** Changed then or later, in milliseconds since 1970. The order is then that of the changes. */
  actualizada_desde?: number;
  /** Ids from here on … */
  from?: string;
  /** … and below here. */
  before?: string;
}

/** The filters by one value, in the order of their parameters: column, part of the statement's name, type. */
const BY_VALUE = [
  ['estado', 'estado', 'text'],
  ['telefono', 'telefono', 'text'],
  ['direccion_confirmada', 'confirmada', 'boolean'],
  ['external_ref', 'ref', 'text'],
  ['guia', 'guia', 'text'],
] as const;

/**
 * The first `rows` guides behind `after`, newest first; with `actualizada_desde` by their last change, oldest first.
 * Ids carry the creation time: where they are the order, the place and the dates are ranges of one key.
 *
 * Each combination of filters is a prepared statement of its own. The subselects keep values from the planner:
 * what most guides of all merchants have in common it would look for along the primary key, and read all
 * guides of a merchant of whom the opposite is true.
 */
export function listGuias(
  comercioId: string,
  filter: ListFilter,
  { after, rows }: { after?: Position; rows: number },
): QueryConfig {
  const name = ['guia-list'];
  const values: unknown[] = [];
  const param = (value: unknown) => `$${values.push(value)}`;
  // In the order of changes: what finds the guides, and what each found is checked for.
  const near = [`comercio_id = ${param(comercioId)}`];
  const far: string[] = [];
  for (const [column, part, type] of BY_VALUE) {
    if (filter[column] === undefined) continue;
    name.push(part);
    const conditions = column === 'telefono' ? near : far;
    conditions.push(`${column} = (select ${param(filter[column])}::${type})`);
  }

  const isByChange = filter.actualizada_desde !== undefined;
  if (isByChange) {
    name.push('actualizada');
    const { ms, id } = after ?? { ms: filter.actualizada_desde, id: LOWEST_ID };
    // Milliseconds, and not ISO 8601, of which PostgreSQL does not read every year.
    near.push(`(actualizada_en, id) > (to_timestamp(${param(ms)}::float8 / 1000), ${param(id)})`);
  }
  const hasDates = filter.from !== undefined || filter.before !== undefined;
  if (isByChange && hasDates) name.push('ids');
  if (!isByChange || hasDates) {
    const before = (isByChange ? undefined : after?.id) ?? filter.before ?? HIGHEST_ID;
    far.push(`id < ${param(before)}`, `id >= ${param(filter.from ?? LOWEST_ID)}`);
  }

  const all = [...near, ...far].join(' and ');
  let text = `select ${COLUMNS} from guias where ${all}`;
  // At most one guide has a number or a reference.
  const isOne = filter.external_ref !== undefined || filter.guia !== undefined;
  if (!isOne) {
    const order = isByChange ? 'order by actualizada_en, id' : 'order by id desc';
    // The offset is a fence: else the planner expects so few guides that it reads and sorts all there are, for each page.
    if (isByChange && far.length > 0)
      text = `select ${COLUMNS} from (select * from guias where ${near.join(' and ')} ${order} offset 0) cambios
        where ${far.join(' and ')}`;
    text += ` ${order} limit ${param(rows)}`;
  }
  return { name: name.join('-'), text, values };
}
