import { Turns } from '../../src/platform/database/turns.js';
import { withClient, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';

/**
 * How many sessions wait for a lock of session `$1`, or behind one that does. `pg_blocking_pids` holds up all locks of the
 * server: only sessions that wait are asked for.
 */
const WAITING = `with recursive blocked as materialized (
    select pid, pg_blocking_pids(pid) as by from (
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' offset 0
    ) locked
  ), waiting (pid) as (
    select pid from blocked where $1::int = any (by)
    union select b.pid from blocked b join waiting w on w.pid = any (b.by)
  ) select count(*)::int as count from waiting`;

/** Transactions that wait for their turn in this process, before they take a connection. */
let waitingTurns = 0;

type RunTurn = (this: Turns, key: string, work: () => Promise<unknown>) => Promise<unknown>;

const prototype = Turns.prototype as unknown as { run: RunTurn };
const runTurn = prototype.run;
prototype.run = async function (key, work) {
  let isWaiting = true;
  const end = () => {
    if (isWaiting) waitingTurns--;
    isWaiting = false;
  };
  waitingTurns++;
  return runTurn
    .call(this, key, () => {
      end();
      return work();
    })
    .finally(end);
};

type Requests<T> = (() => Promise<T>)[];

/**
 * Sends requests that change one guide so that all are in flight together and take effect in this order: a
 * lock on the guide's row holds each back until all of them wait, in PostgreSQL's queue or for their turn in this process.
 */
export async function queueOnGuia<T>(
  database: Pick<TestDatabase, 'url'>,
  guiaId: string,
  requests: Requests<T>,
): Promise<T[]> {
  return withGuiaLocked(database, guiaId, async (untilWaiting) => {
    const answers: Promise<T>[] = [];
    for (const send of requests) {
      answers.push(send());
      await untilWaiting(answers.length);
    }
    return answers;
  });
}

/**
 * Like `queueOnGuia`, but sends all at once: their order is random.
 */
export async function crowdOnGuia<T>(
  database: Pick<TestDatabase, 'url'>,
  guiaId: string,
  requests: Requests<T>,
): Promise<T[]> {
  return withGuiaLocked(database, guiaId, async (untilWaiting) => {
    const answers = requests.map((send) => send());
    await untilWaiting(answers.length);
    return answers;
  });
}

async function withGuiaLocked<T>(
  { url }: Pick<TestDatabase, 'url'>,
  guiaId: string,
  begin: (untilWaiting: (count: number) => Promise<void>) => Promise<Promise<T>[]>,
): Promise<T[]> {
  return withClient(url, (holder) =>
    withClient(url, async (watcher) => {
      await holder.query('begin');
      await holder.query('select from guias where id = $1 for update', [guiaId]);
      const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
      const answers = await begin(async (count) => {
        await eventually(async () => {
          const waiting = await watcher.query<{ count: number }>(WAITING, [rows[0]!.pid]);
          expect(waiting.rows[0]!.count + waitingTurns).toBe(count);
        });
      });
      await holder.query('commit');
      return Promise.all(answers);
    }),
  );
}
