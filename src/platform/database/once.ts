import type { FindOptionsWhere, QueryDeepPartialEntity, Repository } from 'typeorm';
import { v7 } from 'uuid';

/** A row that a request made, or an earlier one under the same `ref`. */
interface Once<Row> {
  row: Row;
  isDuplicate: boolean;
}

/** Finds what an earlier request made under this `ref`, or makes it. */
export async function madeOnce<Row>(
  ref: string | undefined,
  find: (ref: string) => Promise<Row | null | undefined>,
  make: () => Promise<Row>,
): Promise<Once<Row>> {
  const before = ref === undefined ? undefined : await find(ref);
  return before ? { row: before, isDuplicate: true } : { row: await make(), isDuplicate: false };
}

/**
 * The same without a lock, of a row that needs nothing but itself: of two that insert at once, one finds the other's.
 * @param key columns of the unique index, with `ref`; without a `ref` every request inserts.
 */
export async function insertOnce<Row extends { id: string }, Key extends { ref?: string }>(
  rows: Repository<Row>,
  key: Key,
  others: Omit<QueryDeepPartialEntity<Row>, keyof Key | 'id'>,
): Promise<Once<Row>> {
  const id = v7();
  // TypeScript cannot tell that a key and the other columns of a generic row are its columns.
  const values = { id, ...key, ...others } as unknown as QueryDeepPartialEntity<Row>;
  await rows.createQueryBuilder().insert().values(values).orIgnore().execute();
  const where = (key.ref === undefined ? { id } : key) as FindOptionsWhere<Row>;
  const row = await rows.findOneByOrFail(where);
  return { row, isDuplicate: row.id !== id };
}
