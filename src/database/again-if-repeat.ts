import { uniqueViolation } from './sqlstate.js';

/**
 * Runs a statement that finds or records something under its caller's key. Runs it again if another request with the same
 * key was committed meanwhile: a statement does not see what commits while it waits; the next one does.
 * @param constraint the unique constraint of the key.
 * @param mayBeRepeat whether a row says that nothing was recorded, perhaps because of such a request.
 */
export async function againIfRepeat<Row>(
  run: () => Promise<Row>,
  constraint: string,
  mayBeRepeat: (row: Row) => boolean,
): Promise<Row> {
  try {
    const row = await run();
    if (!mayBeRepeat(row)) return row;
  } catch (error) {
    if (uniqueViolation(error) !== constraint) throw error;
  }
  return run();
}
