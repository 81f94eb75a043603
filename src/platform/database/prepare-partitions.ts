import type { QueryConfig } from 'pg';
import { createPartition, missingMonths, type MissingMonth } from './partitions.queries.js';
import { sqlStateOf } from './sqlstate.js';

/** SQLSTATE when the default partition already has rows of the month: it can no longer get a partition of its own. */
const TOO_LATE = '23514';

/**
 * Makes the partitions of a month and of the next two; goes on after a failure.
 * @param run runs a statement and returns its rows.
 * @returns why some could not be made.
 */
export async function preparePartitions(
  run: (config: QueryConfig) => Promise<unknown[]>,
  from: Date | 'now' = 'now',
): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const month of (await run(missingMonths(from))) as MissingMonth[])
    try {
      await run(createPartition(month));
    } catch (error) {
      if (sqlStateOf(error) !== TOO_LATE) faults.push(error);
    }
  return faults;
}
