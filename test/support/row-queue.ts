import type { TestDatabase } from './database.js';
import { withClient } from './database.js';
import { eventually } from './eventually.js';

/**
 * Sends requests that change one guide so that all are in flight together, and are served in this order: a
 * lock on the guide's row holds each until all of them wait in PostgreSQL's queue.
 */
export async function queueOnGuia<T>(
  { url }: Pick<TestDatabase, 'url'>,
  guiaId: string,
  requests: (() => Promise<T>)[],
): Promise<T[]> {
  return withClient(url, (holder) =>
    withClient(url, async (watcher) => {
      await holder.query('begin');
      await holder.query('select from guias where id = $1 for update', [guiaId]);
      const answers: Promise<T>[] = [];
      for (const send of requests) {
        answers.push(send());
        await eventually(async () => {
          const { rows } = await watcher.query<{ waiting: number }>(
            `select count(*)::int as waiting from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
          );
          expect(rows).toEqual([{ waiting: answers.length }]);
        });
      }
      await holder.query('commit');
      return Promise.all(answers);
    }),
  );
}
