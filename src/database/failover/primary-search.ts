import pg from 'pg';
import { databaseFault } from '../sqlstate.js';

/** ms for a server to say whether it takes writes. An unreachable server delays a search by this. */
const ANSWER_MS = 1_500;

/** Whether a server takes writes, and its timeline: each promotion begins a later one. */
const WHO = `select current_setting('transaction_read_only') = 'off' as writable,
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as history`;

/** None of the servers accepts writes at the moment. */
export class NoPrimary extends Error {
  readonly code = 'NO_PRIMARY';

  constructor() {
    super('none of the servers accepts writes');
  }
}

/** Finds which of several servers takes writes. All pools of a process share the result. */
export class PrimarySearch {
  /** The last known primary. */
  last: string;
  private isKnown = false;
  private searching: Promise<string> | undefined;
  private readonly listeners = new Set<(url: string) => void>();

  /** @param urls one for each server. */
  constructor(private readonly urls: readonly string[]) {
    this.last = urls[0]!;
  }

  /**
   * The URL of the server that takes writes. Asks the servers only if it is not known; concurrent calls share a search.
   * @throws NoPrimary; the error of a server where none answers, or where one refuses user, password or database.
   */
  async find(): Promise<string> {
    if (this.isKnown) return this.last;
    this.searching ??= this.search().finally(() => (this.searching = undefined));
    return this.searching;
  }

  /** To be called when a server failed or took no writes: the next connection searches again. */
  forget(url: string): void {
    if (this.last === url) this.isKnown = false;
  }

  /** Calls the listener with the URL of each new primary. @returns a function that removes the listener. */
  onMove(listener: (url: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async search(): Promise<string> {
    const answers = await Promise.allSettled(this.urls.map(ask));
    const writable = answers.flatMap((answer, i) =>
      answer.status === 'fulfilled' && answer.value.writable
        ? [{ url: this.urls[i]!, history: answer.value.history! }]
        : [],
    );
    if (writable.length === 0) throw reasonOf(answers);
    // A former primary that came back and still takes writes has an earlier timeline than the promoted server.
    const { url } = writable.reduce((best, one) => (one.history > best.history ? one : best));
    this.isKnown = true;
    if (url !== this.last) {
      this.last = url;
      for (const listener of [...this.listeners]) listener(url);
    }
    return url;
  }
}

interface Who {
  writable: boolean;
  history: string | null;
}

async function ask(url: string): Promise<Who> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    application_name: 'guias-search',
  });
  // The next query reports the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Who>(WHO);
    return rows[0]!;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Reports a configuration error before an outage. */
function reasonOf(answers: PromiseSettledResult<Who>[]): unknown {
  const errors = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  );
  const refusal = errors.find((error) => databaseFault(error) !== 'unavailable');
  return refusal ?? (errors.length === answers.length ? errors[0] : new NoPrimary());
}
