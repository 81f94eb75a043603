import type { QueryConfig } from 'pg';

/** Months that have partitions in advance: the current one and the next two. */
const MONTHS = 3;

/** A month for which a table has no partition yet. */
export interface MissingMonth {
  tabla: string;
  /** Its first day, like `2026-12-01`. */
  mes: string;
}

const MISSING = `select tabla, to_char(mes, 'YYYY-MM-DD') as mes
  from (select distinct tabla from particiones()) divided,
    generate_series(0, $1 - 1) n,
    lateral (select date_trunc('month', $2::timestamptz at time zone 'UTC') + n * interval '1 month' as mes) months
  where not exists (
    select from particiones() made where made.tabla = divided.tabla
      and (made.hasta = primer_id((mes + interval '1 month') at time zone 'UTC')
        or made.particion = made.tabla || '_inicio' and made.hasta > primer_id(mes at time zone 'UTC')))
  order by tabla, mes`;

/** Of the month of a time and the next two, those that have no partition, whether or not later ones have theirs. */
export function missingMonths(from: Date | 'now'): QueryConfig {
  return { name: 'partitions-missing', text: MISSING, values: [MONTHS, from] };
}

/**
 * Makes the partition of a month; does nothing if there is one. Fails with SQLSTATE 55P03 where it would have to wait, and with
 * 23514 where rows of that month are already in the partition for all others.
 */
export function createPartition({ tabla, mes }: MissingMonth): QueryConfig {
  return { text: 'select crear_particion($1, $2)', values: [tabla, mes] };
}

/** The partitions of a table whose ids are all below one, oldest first, and what is above all of theirs. */
export function partitionsBefore(tabla: string, id: string): QueryConfig {
  const text = 'select particion, hasta from particiones() where tabla = $1 and hasta <= $2 order by hasta';
  return { name: 'partitions-before', text, values: [tabla, id] };
}

/**
 * The partitions of a table that hold more than a month: what there was before the table was divided, and the one for all
 * others. Their rows are deleted one by one.
 */
export function undividedParts(tabla: string): QueryConfig {
  // By name: where another process is just dropping a month, its end is unknown as that of the one for all others is.
  const text = `select particion from particiones() where tabla = $1 and particion in (tabla || '_inicio', tabla || '_resto')`;
  return { name: 'partitions-undivided', text, values: [tabla] };
}

/** Drops a partition whose rows are all older than 30 days. Fails with SQLSTATE 55P03 where it would have to wait. */
export function dropPartition(particion: string): QueryConfig {
  return { text: 'select soltar_particion($1)', values: [particion] };
}

/**
 * What is above all ids of the last partition of each table, but for months that a clock ahead of its time had made; null where a
 * table has none but that for all others.
 */
export function partitionEnds(): QueryConfig {
  const text = `select distinct on (tabla) hasta from (
      select tabla, case when hasta <= primer_id(now() + interval '${MONTHS + 1} months') then hasta end as hasta from particiones()
    ) ends order by tabla, hasta desc nulls last`;
  return { name: 'partitions-ends', text };
}
