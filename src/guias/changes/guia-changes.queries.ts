import type { QueryConfig } from 'pg';
import { textTypes } from '../../platform/database/text-types.js';
import type { Change } from '../../platform/events/record-eventos.js';
import type { GuiaKey } from '../guia/guia-key.js';
import { byIdOrGuia, lookupColumnOf, whereMode } from '../guia/guia-lookup.js';
import { DETAIL_COLUMNS, type GuiaDetalleRow } from '../guia/guia-row.js';

/** Guides that a caller may change: a merchant's own, those of any merchant, real or test, or all. */
export type GuiaScope = { comercioId: string } | { isTest: boolean } | 'all';

/** A guide whose row is locked: nobody else changes it until the transaction ends. Times are ISO 8601. */
export interface LockedGuia extends Omit<GuiaDetalleRow, 'moneda' | 'cod_cobrado' | 'pago'> {
  comercio_id: string;
  de_prueba: boolean;
  /** The driver that it is assigned to. */
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

/** Without columns of other tables: after a wait for the lock they would be as they were before it. */
const LOCKED = [
  ...DETAIL_COLUMNS,
  'comercio_id',
  'de_prueba',
  'piloto_id',
  'estado_en',
  'confirmada_en',
  'respuesta_id',
  'respuesta_en',
] satisfies (keyof LockedGuia)[];

const lock = (where: string) => `select ${LOCKED.join(', ')} from guias where ${where} for update`;

const REAL = byIdOrGuia('guia-lock', lock, whereMode(false));
const TEST = byIdOrGuia('guia-lock-test', lock, whereMode(true));
const OF_MERCHANT = byIdOrGuia('guia-lock-own', lock, 'comercio_id = $2');
const ALL = byIdOrGuia('guia-lock-any', lock, 'true');

/**
 * Locks a guide until the end of the transaction, and reads it. No row: it is not among those in the scope.
 * @throws AppError `no_encontrado` for a text that is neither an id nor a number.
 */
export function lockGuia(idOrGuia: string, scope: GuiaScope): QueryConfig {
  const column = lookupColumnOf(idOrGuia);
  if (scope === 'all') return { ...ALL[column], values: [idOrGuia], types: textTypes };
  if ('comercioId' in scope)
    return { ...OF_MERCHANT[column], values: [idOrGuia, scope.comercioId], types: textTypes };
  return { ...(scope.isTest ? TEST : REAL)[column], values: [idOrGuia], types: textTypes };
}

/** Locks guides of a merchant in the order of their ids, by their numbers, until the end of the transaction, and reads them. */
export function lockGuias(comercioId: string, guias: readonly string[]): QueryConfig {
  const text = lock('comercio_id = $1 and guia = any ($2)').replace(
    / for update$/,
    ' order by id for update',
  );
  return { text, values: [comercioId, guias], types: textTypes };
}

/** The columns that a change may set. Times are ISO 8601; `estado_en` and `respuesta_en` may be `NOW`. */
export type GuiaColumns = Partial<
  Omit<
    LockedGuia,
    | 'comercio_id'
    | 'id'
    | 'guia'
    | 'external_ref'
    | 'creada_en'
    | 'actualizada_en'
    | 'version'
    | 'de_prueba'
    | 'piloto_id'
  >
>;

/** Value of `estado_en` and `respuesta_en` for the time of the write, which only the statement knows. */
export const NOW = 'infinity';

/** SQL of the values that are not written as they are given. */
const WRITTEN: { [Column in keyof GuiaColumns]?: (value: string) => string } = {
  // Not later than now, and not earlier than the move before.
  estado_en: (value) => `greatest(estado_en, least(${value}::timestamptz, ahora))`,
  respuesta_en: (value) => `case when ${value}::timestamptz = '${NOW}' then ahora else ${value} end`,
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
  CONFIRMED,
];

const NAMES = new Map(OFTEN.map((columns, i) => [columns.join(), `guia-update-${i}`]));

/**
 * Writes columns of a locked guide, and raises its version. `actualizada_en` follows where a column is written. Returns the
 * time of the write as `ahora`, ISO 8601: the transaction began before it waited for the lock.
 * @param versions number of events that are recorded with it, at least 1.
 */
export function updateGuia({ comercioId, guiaId }: GuiaKey, columns: GuiaColumns, versions: number): Change {
  const names = Object.keys(columns) as (keyof GuiaColumns)[];
  const set = names.map((name, i) => {
    const value = `$${i + 4}`;
    return `${name} = ${WRITTEN[name]?.(value) ?? value}`;
  });
  if (names.length > 0) set.push('actualizada_en = greatest(actualizada_en, ahora)');
  return {
    name: NAMES.get(names.join()),
    text: `update guias set ${['version = version + $3', ...set].join(', ')}
      from (select clock_timestamp()::timestamptz(3) as ahora) reloj
      where comercio_id = $1 and id = $2 returning comercio_id, id as guia_id, ahora`,
    values: [comercioId, guiaId, versions, ...Object.values(columns)],
    types: textTypes,
  };
}

const ASSIGN = `update guias set piloto_id = $3 where comercio_id = $1 and id = $2
  returning comercio_id, id as guia_id, clock_timestamp()::timestamptz(3) as ahora`;

/** Sets the driver of a locked guide, null for nobody; returns the time of the write as `ahora`, ISO 8601. */
export function assignGuia(
  { comercio_id, id }: Pick<LockedGuia, 'comercio_id' | 'id'>,
  pilotoId: string | null,
): Change {
  return { name: 'guia-assign', text: ASSIGN, values: [comercio_id, id, pilotoId], types: textTypes };
}

/** One row: whether the guide's merchant is closed. */
export function findClosed({ comercio_id }: Pick<LockedGuia, 'comercio_id'>): QueryConfig {
  const text = 'select cerrado_en is not null as cerrado from comercios where id = $1';
  return { name: 'comercio-cerrado', text, values: [comercio_id] };
}
