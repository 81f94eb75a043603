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

/** By phone and by change a warning is checked row by row; otherwise the index of warnings leads to it. */
const isByWarning = ({ isMerchant }: ListSource, filter: ListFilter): boolean =>
  isMerchant && filter.advertencia !== undefined && filter.telefono === undefined && !isByChange(filter);

/**
 * How a page is read.
 * - One row: no order, no limit.
 * - By state: an index holds each state's guides in order, so the lists of several states are merged.
 * - In two steps: what few guides match is found sooner by an index of its own than in the order of changes.
 * - In order: by one index, row by row.
 */
type Reading = 'one row' | 'by state' | 'in two steps' | 'in order';

function readingOf(source: ListSource, filter: ListFilter): Reading {
  const { estados = [], telefono, advertencia, direccion_confirmada, external_ref, guia } = filter;
  if (guia !== undefined || (external_ref !== undefined && source.isMerchant)) return 'one row';
  const hasPhoneIndex = source.isMerchant && telefono !== undefined;
  if (isByChange(filter)) {
    const isFiltered = estados.length > 0 || advertencia !== undefined || direccion_confirmada !== undefined;
    // With a phone, its index is read anyway.
    const canHaveTwo = source.isMerchant && !source.isRepeated && !hasPhoneIndex;
    return canHaveTwo && isFiltered ? 'in two steps' : 'in order';
  }
  if (!source.hasStateIndex || estados.length === 0 || isByWarning(source, filter)) return 'in order';
  // With the index of a merchant's phones each of the lists would read the guides of the phone.
  return hasPhoneIndex && estados.length > 1 ? 'in order' : 'by state';
}

const select = (columns: string, conditions: string[]) =>
  `select ${columns} from guias where ${conditions.join(' and ')}`;

/** A page of the guides of several conditions. Each has a page of its own, or the planner would read and sort all of them. */
function merged(columns: string, conditions: string[][], page: string): string {
  const pages = conditions.map((each) => `(${select('*', each)} ${page})`);
  return `select ${columns} from (${pages.join(' union all ')}) guias`;
}

/**
 * Reads `READ_IN_ORDER` guides in the order of the list. If too few of them match and there are more, then all that match.
 * @param fromStart conditions of the guides in the order of the list
 * @param checked what a guide of the first step is checked for
 * @param all conditions of those that match; of several, each has an index
 * @param limit placeholder of the number of rows
 */
function inTwoSteps({
  columns,
  fromStart,
  checked,
  all,
  sort,
  limit,
}: {
  columns: string;
  fromStart: string[];
  checked: string[];
  all: string[][];
  sort: string;
  limit: string;
}): string {
  const matching = all.map((conditions) => select('*', conditions)).join(' union all ');
  return `with found as materialized (
      select * from (${select('*', fromStart)} ${sort} limit ${READ_IN_ORDER}) read
      where ${checked.join(' and ')} ${sort} limit ${limit}
    ), rest as materialized (
      ${select('actualizada_en, id', fromStart)} ${sort} offset ${READ_IN_ORDER} limit 1
    )
    select ${columns} from (
      select * from found
      union all
      select * from (${matching} offset 0) matching
      where (select count(*) from found) < ${limit} and exists (select from rest)
        and (actualizada_en, id) >= (select actualizada_en, id from rest)
    ) guias`;
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
  const { estados = [] } = filter;
  const byChange = isByChange(filter);
  const reading = readingOf(source, filter);
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
    if (isByWarning(source, filter)) indexed.push(WITH_WARNING);
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

  const matched = [...checked];
  let states = '';
  if (estados.length > 0) {
    const isByState = reading === 'by state' || reading === 'in two steps';
    name.push(isByState ? `estado${estados.length}` : 'estados');
    if (reading !== 'by state') {
      states = `${param(estados)}::text[]`;
      checked.push(`estado = any (${states})`);
    }
  }

  const plain = select(source.columns, [...indexed, ...start, ...checked]);
  if (reading === 'one row') return { name: name.join('-'), text: plain, values };

  const sort = `order by ${byChange ? 'actualizada_en, id' : 'id desc'}`;
  const limit = param(rows);
  const page = `${sort} limit ${limit}`;
  const inOrder = `${select('*', [...indexed, ...start])} ${sort}`;
  let text = plain;
  if (reading === 'by state') {
    const ofState = (estado: GuiaEstado) => [
      ...indexed,
      ...start,
      `estado = (select ${param(estado)}::text)`,
      ...checked,
    ];
    text =
      estados.length === 1
        ? select(source.columns, ofState(estados[0]!))
        : merged(source.columns, estados.map(ofState), page);
  } else if (reading === 'in two steps') {
    if (filter.advertencia !== undefined) matched.push(WITH_WARNING);
    const each = estados.map((_, i) => [`estado = (select (${states})[${i + 1}])`, ...matched]);
    const all = (each.length > 0 ? each : [matched]).map((conditions) => [...indexed, ...conditions]);
    text = inTwoSteps({
      columns: source.columns,
      fromStart: [...indexed, ...start],
      checked,
      all,
      sort,
      limit,
    });
  } else if (source.isMerchant && (byChange || isByWarning(source, filter)) && checked.length > 0) {
    // `offset 0` is an optimisation fence. Without it the planner expects so few guides that it would read
    // and sort all of them for each page.
    text = `select ${source.columns} from (${inOrder} offset 0) guias where ${checked.join(' and ')}`;
  }
  return { name: name.join('-'), text: `${text} ${page}`, values };
}
