import type { QueryConfig } from 'pg';
import type { Position } from '../../pagination/cursor.js';
import { HIGHEST_ID, LOWEST_ID } from '../../database/row-id.js';
import { toIso } from '../../database/text-types.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import type { GuiaEstado } from '../guia-estado.js';
import { LISTED, type GuiaRow } from '../guias.queries.js';

const COLUMNS = LISTED.join(', ');

/** Guides that a list by change reads in its order, before it looks for all those that match. */
const READ_IN_ORDER = 5_000;

/** The very text of the condition of the index of warnings, by which PostgreSQL finds that the index serves. */
const WITH_WARNING = `advertencias <> '{}'`;

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
  /** Any of these, without duplicates. */
  estados?: readonly GuiaEstado[];
  /** E.164. */
  telefono?: string;
  direccion_confirmada?: boolean;
  external_ref?: string;
  /** Guide number. */
  guia?: string;
  /** With this warning, or with any. */
  advertencia?: GuiaAdvertencia | 'cualquiera';
  /** Changed at this time or later, in ms since 1970. Sorts by last change. */
  actualizada_desde?: number;
  /** Lowest id. */
  from?: string;
  /** The id above the highest one. */
  before?: string;
}

/** Whether a list is in the order of the last change, the oldest first; any other is by id, the newest first. */
export const isByChange = ({ actualizada_desde }: ListFilter): boolean => actualizada_desde !== undefined;

/** Where the page after this guide begins, in either order. */
export const positionOfGuia = ({ id, actualizada_en }: GuiaRow): Position => ({
  id,
  ms: Date.parse(actualizada_en),
});

/** The filters by one value, in parameter order: column, part of the statement's name, type. */
const BY_VALUE = [
  ['telefono', 'telefono', 'text'],
  ['direccion_confirmada', 'conf', 'boolean'],
  ['external_ref', 'ref', 'text'],
  ['guia', 'guia', 'text'],
] as const;

/** Registers a value of a statement and returns its placeholder. */
type Param = (value: unknown) => string;

/** Whose guides a list shows, and which columns. */
export interface ListSource {
  /** First part of the statement's name. */
  name: string;
  columns: string;
  /** What an index of the order by id finds. */
  indexed: (param: Param) => string[];
  /** Whether `indexed` is one merchant: then the phone, the last change and warnings have indexes too. */
  isMerchant: boolean;
  /** Whether the statement runs for each of many merchants. */
  isRepeated?: boolean;
  /** Whether there is an index by state for `indexed`. Otherwise states are checked row by row. */
  hasStateIndex: boolean;
}

/** A merchant's own list. */
export function listGuias(comercioId: string, filter: ListFilter, page: PageRequest): QueryConfig {
  const indexed = (param: Param) => [`comercio_id = ${param(comercioId)}`];
  const source = { name: 'guia-list', columns: COLUMNS, indexed, isMerchant: true, hasStateIndex: true };
  return pageOfGuias(source, filter, page);
}

export interface PageRequest {
  after?: Position;
  rows: number;
}

/**
 * The first `rows` guides after `after`, newest first; with `actualizada_desde` by last change, oldest first.
 * Ids contain the creation time, so in the first order the position and the dates are one range of the key.
 *
 * Each combination of filters is a prepared statement of its own. The subselects hide values from the
 * planner: if it saw that most guides of all merchants match, it would scan the primary key, and read every
 * guide of a merchant with none.
 */
export function pageOfGuias(
  source: ListSource,
  filter: ListFilter,
  { after, rows }: PageRequest,
): { name: string; text: string; values: unknown[] } {
  const name = [source.name];
  const values: unknown[] = [];
  const param: Param = (value) => `$${values.push(value)}`;
  const byChange = isByChange(filter);
  const isByWarning =
    source.isMerchant && filter.advertencia !== undefined && !byChange && filter.telefono === undefined;
  // An index finds the guides by `indexed`, from `start` on in the order of the list. Each is then checked for `checked`.
  const indexed = source.indexed(param);
  const start: string[] = [];
  const checked: string[] = [];
  for (const [column, part, type] of BY_VALUE) {
    if (filter[column] === undefined) continue;
    name.push(part);
    // By its end, as the index has it: support finds a phone by its last digits.
    if (column === 'telefono' && source.isMerchant)
      indexed.push(`reverse(telefono) = (select reverse(${param(filter[column])}::text))`);
    else checked.push(`${column} = (select ${param(filter[column])}::${type})`);
  }
  if (filter.advertencia !== undefined) {
    const isAny = filter.advertencia === 'cualquiera';
    name.push(isAny ? 'adv' : 'advcod');
    if (isByWarning) indexed.push(WITH_WARNING);
    else if (isAny) checked.push('cardinality(advertencias) > 0');
    if (!isAny) checked.push(`${param(filter.advertencia)} = any (advertencias)`);
  }

  if (byChange) {
    name.push('cambio');
    const { ms, id } = after ?? { ms: filter.actualizada_desde, id: LOWEST_ID };
    // Milliseconds, because PostgreSQL cannot read every ISO 8601 year.
    start.push(`(actualizada_en, id) > (to_timestamp(${param(ms)}::float8 / 1000), ${param(id)})`);
  }
  const hasDates = filter.from !== undefined || filter.before !== undefined;
  if (byChange && hasDates) name.push('ids');
  if (!byChange || hasDates) {
    const before = (byChange ? undefined : after?.id) ?? filter.before ?? HIGHEST_ID;
    (byChange ? checked : start).push(`id < ${param(before)}`, `id >= ${param(filter.from ?? LOWEST_ID)}`);
  }

  const { estados = [] } = filter;
  const isOneRow = filter.guia !== undefined || (filter.external_ref !== undefined && source.isMerchant);
  // An index holds each state's guides in order, so the lists of several states are merged.
  const isMerged =
    source.hasStateIndex &&
    estados.length > 0 &&
    !byChange &&
    !isByWarning &&
    !isOneRow &&
    // With the index of a merchant's phones each of the lists would read the guides of the phone.
    !(source.isMerchant && filter.telefono !== undefined && estados.length > 1);
  // What few guides match is found sooner by an index of its own; with a phone, its index is read anyway.
  const isInTwoSteps =
    source.isMerchant &&
    byChange &&
    !source.isRepeated &&
    !isOneRow &&
    filter.telefono === undefined &&
    [filter.estados, filter.direccion_confirmada, filter.advertencia].some((value) => value !== undefined);
  const others = [...checked];
  let states = '';
  if (estados.length > 0) {
    name.push(isMerged || isInTwoSteps ? `estado${estados.length}` : 'estados');
    if (!isMerged) {
      states = `${param(estados)}::text[]`;
      checked.push(`estado = any (${states})`);
    }
  }

  const select = (columns: string, conditions: string[]) =>
    `select ${columns} from guias where ${conditions.join(' and ')}`;
  if (isOneRow)
    return { name: name.join('-'), text: select(source.columns, [...indexed, ...start, ...checked]), values };

  const sort = `order by ${byChange ? 'actualizada_en, id' : 'id desc'}`;
  const limit = param(rows);
  const page = `${sort} limit ${limit}`;
  const inOrder = `${select('*', [...indexed, ...start])} ${sort}`;
  let text = select(source.columns, [...indexed, ...start, ...checked]);
  if (isMerged) {
    const ofState = (estado: GuiaEstado) => [
      ...indexed,
      ...start,
      `estado = (select ${param(estado)}::text)`,
      ...checked,
    ];
    // Each state has a page of its own, or the planner would read and sort all guides of the states.
    const pages = () => estados.map((estado) => `(${select('*', ofState(estado))} ${page})`);
    text =
      estados.length === 1
        ? select(source.columns, ofState(estados[0]!))
        : `select ${source.columns} from (${pages().join(' union all ')}) guias`;
  } else if (isInTwoSteps) {
    if (filter.advertencia !== undefined) others.push(WITH_WARNING);
    const matching =
      estados.length === 0
        ? [others]
        : estados.map((_, i) => [`estado = (select (${states})[${i + 1}])`, ...others]);
    const all = matching.map((conditions) => select('*', [...indexed, ...conditions])).join(' union all ');
    text = `with found as materialized (
        select * from (${inOrder} limit ${READ_IN_ORDER}) read where ${checked.join(' and ')} ${page}
      ), rest as materialized (
        ${select('actualizada_en, id', [...indexed, ...start])} ${sort} offset ${READ_IN_ORDER} limit 1
      )
      select ${source.columns} from (
        select * from found
        union all
        select * from (${all} offset 0) matching
        where (select count(*) from found) < ${limit} and exists (select from rest)
          and (actualizada_en, id) >= (select actualizada_en, id from rest)
      ) guias`;
  } else if (source.isMerchant && (byChange || isByWarning) && checked.length > 0) {
    // `offset 0` is an optimisation fence. Without it the planner expects so few guides that it would read
    // and sort all of them for each page.
    text = `select ${source.columns} from (${inOrder} offset 0) guias where ${checked.join(' and ')}`;
  }
  return { name: name.join('-'), text: `${text} ${page}`, values };
}
