import type { QueryConfig } from 'pg';
import type { Position } from '../../platform/pagination/cursor.js';
import { HIGHEST_ID, LOWEST_ID } from '../../platform/database/row-id.js';
import { toIso } from '../../platform/database/text-types.js';
import type { GuiaAdvertencia } from '../guia/guia-advertencia.js';
import type { GuiaEstado } from '../guia/guia-estado.js';
import { setTexts } from '../guia/guia-fields.js';
import { LISTED, type GuiaRow } from '../guia/guia-row.js';
import {
  byState,
  fewOfAll,
  inOrder,
  inTwoSteps,
  mergePages,
  oneRow,
  StatementDraft,
  WITH_WARNING,
  type Conditions,
  type Param,
  type Statement,
} from './guia-readings.queries.js';

const COLUMNS = LISTED.join(', ');

/** Where each column stands. */
const AT = Object.fromEntries(LISTED.map((column, i) => [column, i])) as Record<keyof GuiaRow, number>;

/** A row from the texts that PostgreSQL sends for its columns, in the order of `LISTED`. */
export function toGuiaRow(values: readonly (string | null)[]): GuiaRow {
  const row = {
    guia: values[AT.guia]!,
    id: values[AT.id]!,
    external_ref: values[AT.external_ref]!,
    estado: values[AT.estado] as GuiaEstado,
    destinatario: values[AT.destinatario]!,
    telefono: values[AT.telefono]!,
    direccion: values[AT.direccion]!,
    departamento: values[AT.departamento]!,
    municipio: values[AT.municipio]!,
    cod_amount: Number(values[AT.cod_amount]),
    direccion_confirmada: values[AT.direccion_confirmada] === 't',
    creada_en: toIso(values[AT.creada_en]!),
    actualizada_en: toIso(values[AT.actualizada_en]!),
  };
  return setTexts(row, (texto) => values[AT[texto]]!);
}

/** Filters of a merchant's guides, combined with AND. */
export interface ListFilter {
  /** Any of these, without duplicates. */
  estados?: readonly GuiaEstado[];
  /** E.164. */
  telefono?: string;
  direccion_confirmada?: boolean;
  external_ref?: string;
  guia?: string;
  /** With this warning, or with any. */
  advertencia?: GuiaAdvertencia | 'cualquiera';
  /** Changed at this time or later, in ms since 1970. Sorts by last change. */
  actualizada_desde?: number;
  /** Name of a municipality; compared without case and accents, row by row. */
  lugar?: string;
  /** Lowest id. */
  from?: string;
  /** The id above the highest one. */
  before?: string;
}

/** Whether a list is in the order of the last change, the oldest first; any other is by id, the newest first. */
export const isByChange = ({ actualizada_desde }: ListFilter): boolean => actualizada_desde !== undefined;

export type ListedKey = Pick<GuiaRow, 'id' | 'actualizada_en'>;

/** Where the page after this guide begins, in either order. */
export const positionOfGuia = ({ id, actualizada_en }: ListedKey): Position => ({
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

/** Whose guides a list shows, and which columns. */
export interface ListSource {
  /** First part of the statement's name. */
  name: string;
  columns: string;
  /** Conditions that an index in the order by id serves. */
  indexed: (param: Param) => string[];
  /** Whether the indexes of one merchant serve `indexed`: it names one merchant, or `c`, each in turn. */
  hasMerchantIndexes: boolean;
  /** Where `indexed` is about one merchant `c`, and the list is of many: the condition on these merchants. */
  merchants?: string;
  /** Whether there is an index by state for `indexed`. Otherwise states are checked row by row. */
  hasStateIndex: boolean;
}

export function listGuias(
  comercioId: string,
  filter: ListFilter,
  page: PageRequest,
  shown: Pick<ListSource, 'name' | 'columns'> = LIST,
): QueryConfig {
  return pageOfGuias(ofOwner(comercioId, shown), filter, page);
}

/** How many guides a merchant's list has, `max` at most. */
export function countGuias(comercioId: string, filter: ListFilter, max: number): QueryConfig {
  const source = ofOwner(comercioId, { name: 'guia-count', columns: '' });
  const draft = new StatementDraft(source.name);
  const { indexed, start, checked, anyState } = conditionsOf(source, filter, undefined, 'in order', draft);
  const where = [...indexed, ...start, ...checked, ...anyState].join(' and ');
  return draft.toStatement(
    `select count(*)::int as guias from (select from guias where ${where} limit ${draft.param(max)}) g`,
  );
}

/** The given guides of a merchant that a list has, newest first. */
export function guiasAmong(comercioId: string, ids: string[], filter: ListFilter): QueryConfig {
  const own = ofOwner(comercioId, { name: 'guia-among', columns: COLUMNS });
  const indexed = (param: Param) => [...own.indexed(param), `id = any (${param(ids)}::uuid[])`];
  return pageOfGuias({ ...own, indexed, hasStateIndex: false }, filter, { rows: ids.length });
}

const LIST = { name: 'guia-list', columns: COLUMNS };

const ofOwner = (comercioId: string, shown: Pick<ListSource, 'name' | 'columns'>): ListSource => ({
  ...shown,
  indexed: (param) => [`comercio_id = ${param(comercioId)}`],
  hasMerchantIndexes: true,
  hasStateIndex: true,
});

export interface PageRequest {
  after?: Position;
  rows: number;
}

/** Whether the index of warnings is used. In a list by phone or by change, a warning is checked row by row. */
const isByWarning = ({ hasMerchantIndexes }: ListSource, filter: ListFilter): boolean =>
  hasMerchantIndexes &&
  filter.advertencia !== undefined &&
  filter.telefono === undefined &&
  !isByChange(filter);

/**
 * How a page is read.
 * - One row: no order, no limit.
 * - By state: an index holds each state's guides in order, so the lists of several states are merged.
 * - In two steps: first in the order of changes; if few guides match, they are found sooner by an index of their own.
 * - Few first, of many merchants: all guides that match, by an index of their own; if they are not few, in order.
 * - In order: by one index, row by row.
 */
type Reading = 'one row' | 'by state' | 'in two steps' | 'few first' | 'in order';

function readingOf(source: ListSource, filter: ListFilter): Reading {
  const { estados = [], telefono, advertencia, direccion_confirmada, external_ref, guia } = filter;
  if (guia !== undefined || (external_ref !== undefined && source.hasMerchantIndexes)) return 'one row';
  const hasPhoneIndex = source.hasMerchantIndexes && telefono !== undefined;
  if (isByChange(filter)) {
    // With a phone, the index of phones is read anyway.
    if (!source.hasMerchantIndexes || hasPhoneIndex) return 'in order';
    const isIndexed = estados.length > 0 || advertencia !== undefined;
    if (source.merchants !== undefined) return isIndexed ? 'few first' : 'in order';
    return isIndexed || direccion_confirmada !== undefined ? 'in two steps' : 'in order';
  }
  if (!source.hasStateIndex || estados.length === 0 || isByWarning(source, filter)) return 'in order';
  // With the index of a merchant's phones, each state's list would read all guides of the phone.
  return hasPhoneIndex && estados.length > 1 ? 'in order' : 'by state';
}

function conditionsOf(
  source: ListSource,
  filter: ListFilter,
  after: Position | undefined,
  reading: Reading,
  { param, addToName }: StatementDraft,
): Conditions {
  const indexed = source.indexed(param);
  const start: string[] = [];
  const checked: string[] = [];
  for (const [column, part, type] of BY_VALUE) {
    if (filter[column] === undefined) continue;
    addToName(part);
    // Reversed, as in the index, by which support finds a phone by its last digits.
    if (column === 'telefono' && source.hasMerchantIndexes)
      indexed.push(`reverse(telefono) = (select reverse(${param(filter[column])}::text))`);
    else checked.push(`${column} = (select ${param(filter[column])}::${type})`);
  }

  if (filter.advertencia !== undefined) {
    const isAny = filter.advertencia === 'cualquiera';
    addToName(isAny ? 'adv' : 'advcod');
    if (isByWarning(source, filter)) indexed.push(WITH_WARNING);
    else if (isAny) checked.push('cardinality(advertencias) > 0');
    if (!isAny) checked.push(`${param(filter.advertencia)} = any (advertencias)`);
  }

  if (filter.lugar !== undefined) {
    addToName('lugar');
    checked.push(`clave_lugar(municipio) = (select clave_lugar(${param(filter.lugar)}))`);
  }

  const { from = LOWEST_ID, before = HIGHEST_ID } = filter;
  if (isByChange(filter)) {
    addToName('cambio');
    const { ms, id } = after ?? { ms: filter.actualizada_desde, id: LOWEST_ID };
    // Milliseconds, because PostgreSQL cannot read every ISO 8601 year.
    start.push(`(actualizada_en, id) > (to_timestamp(${param(ms)}::float8 / 1000), ${param(id)})`);
    if (filter.from !== undefined || filter.before !== undefined) {
      addToName('ids');
      checked.push(`id < ${param(before)}`, `id >= ${param(from)}`);
    }
  } else start.push(`id < ${param(after?.id ?? before)}`, `id >= ${param(from)}`);

  const { estados } = filter;
  if (!estados?.length) return { indexed, start, checked, anyState: [], eachState: [] };
  const readsEachState = !['one row', 'in order'].includes(reading);
  addToName(readsEachState ? `estado${estados.length}` : 'estados');
  const states = `${param(estados)}::text[]`;
  return {
    indexed,
    start,
    checked,
    anyState: [`estado = any (${states})`],
    eachState: estados.map((_, i) => `estado = (select (${states})[${i + 1}])`),
  };
}

/**
 * The first `rows` guides after `after`, newest first; with `actualizada_desde` by last change, oldest first.
 * Ids contain the creation time, so in the first order the position and the dates are one range of the key.
 *
 * Each combination of filters is a statement of its own. The subselects hide values from the planner: for a value
 * that is frequent over all merchants it would scan the primary key, and read every guide of a merchant that has none.
 */
export function pageOfGuias(source: ListSource, filter: ListFilter, { after, rows }: PageRequest): Statement {
  const { columns, hasMerchantIndexes, merchants } = source;
  const draft = new StatementDraft(source.name);
  const reading = readingOf(source, filter);
  const conditions = conditionsOf(source, filter, after, reading, draft);
  const isOneRow = reading === 'one row';
  if (isOneRow && merchants === undefined) return draft.toStatement(oneRow(columns, conditions));
  const byChange = isByChange(filter);
  const keys = byChange ? ['actualizada_en', 'id'] : ['id desc'];
  const order = { sort: `order by ${keys.join(', ')}`, limit: draft.param(rows) };
  const hasWarning = filter.advertencia !== undefined;
  if (reading === 'in two steps')
    return draft.toStatement(inTwoSteps(columns, conditions, order, hasWarning));
  const isFenced = hasMerchantIndexes && (byChange || isByWarning(source, filter));
  const own = isOneRow
    ? oneRow(columns, conditions)
    : reading === 'by state'
      ? byState(columns, conditions, order)
      : inOrder(columns, conditions, order, isFenced);
  if (merchants === undefined) return draft.toStatement(own);
  const first = `order by ${keys.map((key) => `p.${key}`).join(', ')} limit ${order.limit}`;
  const pages = mergePages(own, merchants, first);
  if (reading !== 'few first') return draft.toStatement(pages);
  return draft.toStatement(fewOfAll(columns, conditions, order, { hasWarning, merchants, pages }));
}
