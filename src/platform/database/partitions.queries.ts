import type { QueryConfig } from 'pg';

/** Months that have partitions at any time: the current one and the next two. */
const MONTHS = 3;

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

/** Of the month of a time and the next two, those without a partition. */
export function missingMonths(from: Date | 'now'): QueryConfig {
  return { name: 'partitions-missing', text: MISSING, values: [MONTHS, from] };
}

/**
 * Makes the partition of a month; does nothing if there is one. Fails with SQLSTATE 55P03 where it would have to wait, and with
 * 23514 where rows of that month are already in the default partition.
 */
export function createPartition({ tabla, mes }: MissingMonth): QueryConfig {
  return { text: 'select crear_particion($1, $2)', values: [tabla, mes] };
}

/** The partitions of a table whose ids are all below an id, oldest first, each with its upper bound. */
export function partitionsBefore(tabla: string, id: string): QueryConfig {
  const text = 'select particion, hasta from particiones() where tabla = $1 and hasta <= $2 order by hasta';
  return { name: 'partitions-before', text, values: [tabla, id] };
}

/**
 * The partitions of a table that hold more than a month: the rows from before the table was divided, and the default one.
 * Their rows are deleted one by one.
 */
export function undividedParts(tabla: string): QueryConfig {
  // By name, not by a missing end: while another process drops a month, the end of that partition is unknown too.
  const text = `select particion from particiones() where tabla = $1 and particion in (tabla || '_inicio', tabla || '_resto')`;
  return { name: 'partitions-undivided', text, values: [tabla] };
}

/** Drops a partition whose rows are all older than 30 days. Fails with SQLSTATE 55P03 if it would have to wait. */
export function dropPartition(particion: string): QueryConfig {
  return { text: 'select soltar_particion($1)', values: [particion] };
}

/**
 * The upper bound of the ids of each table's last partition; null if a table has only the default one. Leaves out months
 * that were made by a clock that was ahead.
 */
export function partitionEnds(): QueryConfig {
  const text = `select distinct on (tabla) hasta from (
      select tabla, case when hasta <= primer_id(now() + interval '${MONTHS + 1} months') then hasta end as hasta from particiones()
    ) ends order by tabla, hasta desc nulls last`;
  return { name: 'partitions-ends', text };
}
