import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items read at a time, which hold the event loop meanwhile: some ms where each is as long as it may be. */
const READ_TOGETHER = 8;

/** Reads the items of a batch, a few at a time, so that other requests run in between. */
export async function mapInTurns<T, Read>(items: readonly T[], read: (item: T) => Read): Promise<Read[]> {
  const results: Read[] = [];
  for (const [n, item] of items.entries()) {
    if (n % READ_TOGETHER === 0) await nextTurn();
    results.push(read(item));
  }
  return results;
}
