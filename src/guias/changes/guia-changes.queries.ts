import type { QueryConfig } from 'pg';
import { empty, join, raw, sql, statement, type Sql } from '../../platform/database/sql.js';
import { textTypes } from '../../platform/database/text-types.js';
import type { Change } from '../../platform/events/record-eventos.js';
import { lookupColumnOf, whereMode } from '../guia/guia-lookup.js';
import { DETAIL_COLUMNS, type GuiaDetalleRow } from '../guia/guia-row.js';

/** Guides that a caller may change: a merchant's own, those of any merchant, real or test, or all. */
export type GuiaScope = { comercioId: string } | { isTest: boolean } | 'all';

/** A guide as it is before a change: its row is locked, or the write finds it only as it is here. Times are ISO 8601. */
export interface CurrentGuia extends Omit<GuiaDetalleRow, 'moneda' | 'cod_cobrado' | 'pago'> {
  comercio_id: string;
  de_prueba: boolean;
  piloto_id: string | null;
  /** When it came to its state; null until its first move. */
  estado_en: string | null;
  /** When the recipient confirmed the destination. */
  confirmada_en: string | null;
  /** Id (UUID version 7) of the recipient's answer that set the destination. */
  respuesta_id: string | null;
  /** When the recipient sent it, or the destination was set otherwise since; null if that was before this was recorded. */
  respuesta_en: string | null;
}

/** Without columns of other tables, which would be as they were before a wait for the lock. */
const COLUMNS = [
  ...DETAIL_COLUMNS,
  'comercio_id',
  'de_prueba',
  'piloto_id',
  'estado_en',
  'confirmada_en',
  'respuesta_id',
  'respuesta_en',
] satisfies (keyof CurrentGuia)[];

const SEEN = [...COLUMNS.map((column) => `g.${column}`), 'g.xmin::text'].join(', ');

/** A guide as it was read without a lock. */
export interface SeenGuia extends CurrentGuia {
  /** The transaction that wrote its row. `version` does not tell of an assignment. */
  xmin: string;
}

/**
 * Facts beside the guide that decide a change: columns of guide `g`, which the statement that reads the guide reads, too. Each part has a
 * name of its own, as the statement is prepared.
 */
export type Beside = Readonly<Record<string, Sql>>;

/**
 * Reads a guide as it was last committed, waiting for nobody, and what is beside it. No row: it is not among those in the scope.
 * @throws AppError `no_encontrado` for a text that is neither an id nor a number.
 */
export function readGuia(idOrGuia: string, scope: GuiaScope, beside: Beside): QueryConfig {
  const column = lookupColumnOf(idOrGuia);
  const { name, where } = scopeOf(scope);
  const text = sql`select ${join([raw(SEEN), ...Object.values(beside)], ', ')}
    from guias g where g.${raw(column)} = ${idOrGuia} and ${where}`;
  const names = ['guia-read', name, column, ...Object.keys(beside)];
  return statement(text, { name: names.join('-'), types: textTypes });
}

/** Locks a guide until the end of the transaction, and reads it. Otherwise as `readGuia`. */
export function lockGuia(idOrGuia: string, scope: GuiaScope): QueryConfig {
  const column = lookupColumnOf(idOrGuia);
  const { name, where } = scopeOf(scope);
  const text = sql`select ${raw(COLUMNS.join(', '))} from guias g
    where g.${raw(column)} = ${idOrGuia} and ${where} for update`;
  return statement(text, { name: `guia-lock-${name}-${column}`, types: textTypes });
}

/** SQL condition of guide `g`. */
function scopeOf(scope: GuiaScope): { name: string; where: Sql } {
  if (scope === 'all') return { name: 'any', where: raw('true') };
  if ('comercioId' in scope) return { name: 'own', where: sql`g.comercio_id = ${scope.comercioId}` };
  return { name: scope.isTest ? 'test' : 'real', where: raw(whereMode(scope.isTest, 'g')) };
}

/** Locks guides of a merchant in the order of their ids, by their numbers, until the end of the transaction, and reads them. */
export function lockGuias(comercioId: string, guias: readonly string[]): QueryConfig {
  const text = `select ${COLUMNS.join(', ')} from guias where comercio_id = $1 and guia = any ($2) order by id for update`;
  return { text, values: [comercioId, guias], types: textTypes };
}

/** The columns that a change may set. Times are ISO 8601; `estado_en` and `respuesta_en` may be `NOW`. */
export type GuiaColumns = Partial<
  Omit<
    CurrentGuia,
    'comercio_id' | 'id' | 'guia' | 'external_ref' | 'creada_en' | 'actualizada_en' | 'version' | 'de_prueba'
  >
>;

export interface ColumnsWrite {
  columns: GuiaColumns;
  /** Whether it takes a move back, so that `estado_en` is what it is set to. */
  takesBack?: boolean;
  /** Whether the columns of the detail are returned as they are after it. */
  isRead?: boolean;
}

/** Value of `estado_en` and `respuesta_en` for the time of the write, which only the statement knows. */
export const NOW = 'infinity';

/** SQL of the values that are not written as they are given. */
const WRITTEN: { [Column in keyof GuiaColumns]?: (value: GuiaColumns[keyof GuiaColumns]) => Sql } = {
  // Not later than now, and not earlier than the move before.
  estado_en: (value) => sql`greatest(estado_en, least(${value}::timestamptz, ahora))`,
  respuesta_en: (value) => sql`case when ${value}::timestamptz = '${raw(NOW)}' then ahora else ${value} end`,
};

/** Columns that a recipient's confirmation (`recipient-answer.ts`) writes, in its order. */
const CONFIRMED: (keyof GuiaColumns)[] = [
  'destino_lat',
  'destino_lng',
  'destino_maps_url',
  'referencia',
  'respuesta_id',
  'respuesta_en',
  'direccion_confirmada',
  'confirmada_en',
  'enlaces_pendientes',
  'advertencias',
];

/** The sets of columns that are written often. The statements of all others are not prepared: a connection keeps each. */
const OFTEN: (keyof GuiaColumns)[][] = [
  [],
  ['advertencias'],
  ['estado', 'estado_en', 'advertencias'],
  ['piloto_id'],
  CONFIRMED,
];

const NAMES = new Map(OFTEN.map((columns, i) => [columns.join(), `guia-update-${i}`]));

type Guia = Pick<CurrentGuia, 'comercio_id' | 'id'>;

/**
 * Writes columns of a guide. `actualizada_en` follows where a merchant sees one. Returns the time of the write as `ahora`, ISO 8601: a
 * transaction began before it waited for the lock.
 * @param versions by how many the version rises; 0 for what merchants do not see.
 * @param xmin of a guide that was read without a lock: no row where it has changed since.
 */
export function updateGuia(
  { comercio_id, id }: Guia,
  { columns, takesBack = false, isRead = false }: ColumnsWrite,
  versions: number,
  xmin?: string,
): Change {
  const names = Object.keys(columns) as (keyof GuiaColumns)[];
  const written: typeof WRITTEN = takesBack ? {} : WRITTEN;
  const set = names.map((name) => sql`${raw(name)} = ${written[name]?.(columns[name]) ?? columns[name]}`);
  if (names.length > 0 && versions > 0) set.push(raw('actualizada_en = greatest(actualizada_en, ahora)'));
  const often = takesBack ? undefined : NAMES.get(names.join());
  return {
    name: often && (xmin === undefined ? often : `${often}-seen`),
    types: textTypes,
    sql: sql`update guias set ${join([sql`version = version + ${versions}`, ...set], ', ')}
      from (select clock_timestamp()::timestamptz(3) as ahora) reloj
      where comercio_id = ${comercio_id} and id = ${id}${xmin === undefined ? empty : sql` and xmin = ${xmin}::xid`}
      returning comercio_id, id as guia_id, ahora${isRead ? raw(`, ${DETAIL_COLUMNS.join(', ')}`) : empty}`,
  };
}
