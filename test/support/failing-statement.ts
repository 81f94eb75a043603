import type { TestDatabase } from './database.js';

/**
 * Makes every statement fail that writes such a row, as if the process had died before it.
 * @param write for example `insert on eventos`.
 * @param when a condition on `new`, as SQL.
 * @returns ends that.
 */
export async function failOn(
  database: TestDatabase,
  write: string,
  when: string,
): Promise<() => Promise<void>> {
  const [, table] = write.split(' on ');
  await database.query(`create or replace function fails() returns trigger language plpgsql as
    $$ begin raise exception 'a test makes this statement fail'; end $$`);
  await database.query(
    `create trigger fails before ${write} for each row when (${when}) execute function fails()`,
  );
  return async () => void (await database.query(`drop trigger fails on ${table}`));
}
