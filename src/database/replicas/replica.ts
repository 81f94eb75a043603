import { setTimeout as sleep } from 'node:timers/promises';
import pg, {
  type ClientBase,
  type Pool,
  type PoolClient,
  type QueryArrayConfig,
  type QueryConfig,
  type QueryResult,
} from 'pg';
import type { Logger } from 'pino';
import { POOL_SIZE, poolConfig } from '../data-source.js';
import { runOn } from '../database.js';
import { isFaultOfOneRow, sqlStateOf } from '../sqlstate.js';
import type { ConnectionLimits } from '../time-limits.js';
import type { Position, PrimaryPosition } from './primary-position.js';
import { replicaPosition, serverOf, systemOf, type ReplicaRow } from './replicas.queries.js';

/** Less than half of the time for an answer: the primary can still give it. */
const READ_LIMITS: ConnectionLimits = {
  connection: 1_000,
  statement: 2_000,
  silence: 2_200,
  transaction: 2_000,
};

/** Of questions that cost next to nothing: a server that takes longer is not there. */
const LOOK_LIMITS: ConnectionLimits = { connection: 1_000, statement: 500, silence: 600, transaction: 500 };

/** ms between two looks while reads wait: a replica nearby replays a commit in about one. */
const LOOK_PAUSE_MS = 1;

/** ms between two looks at a replica that is behind, so that reads no longer wait for it. */
const LATE_LOOK_MS = 100;

/** ms for which a server that was a replica passes for one. One that is promoted by mistake may be read so long. */
const CONFIRMED_MS = 250;

/** ms that a replica is left alone after its first failure, and at most. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Why a server is not read as a replica. */
class Refused extends Error {
  /** @param causa the same in Spanish, for operators. */
  constructor(
    message: string,
    readonly causa: string,
  ) {
    super(message);
  }
}

/** One replica: how far it is, whether it is read, and its connections. Its failures are its own: nobody waits for it long. */
export class Replica {
  /** Host and port: no user, no password. */
  readonly name: string;
  /** Why it is not read, in Spanish; undefined while it is. */
  causa: string | undefined = 'Todavía no se le ha preguntado.';
  /** Reads in flight. */
  reading = 0;

  private readonly reads: Pool;
  /** Apart from reads, so that slow ones do not make it look dead. */
  private readonly looks: Pool;
  private readonly servers = new WeakMap<object, string>();
  private server: string | undefined;
  private history: string | undefined;
  private replayed = 0n;
  /** When a look began that found a replica there. */
  private confirmedAt = -Infinity;
  /** The position that a read waited for in vain: until it is reached, none waits. */
  private missed = 0n;
  private lookedAt = -Infinity;
  private looking: Promise<void> | undefined;
  private admitting: Promise<void> | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  private retryAt = -Infinity;

  constructor(
    url: string,
    private readonly primary: PrimaryPosition,
    private readonly logger: Logger,
  ) {
    this.reads = this.pool(url, READ_LIMITS, POOL_SIZE);
    this.looks = this.pool(url, LOOK_LIMITS, 1);
    const { host, port } = new pg.Client({ connectionString: url });
    this.name = `${host}:${port}`;
  }

  /** Whether a read that needs `position` sees it here at once. */
  has({ history, lsn }: Position): boolean {
    return (
      this.causa === undefined &&
      this.history === history &&
      this.replayed >= lsn &&
      performance.now() - this.confirmedAt < CONFIRMED_MS
    );
  }

  /** Whether it is worth a short wait until it has replayed `position`. Starts what makes it so, in the background. */
  isNear({ history }: Position): boolean {
    if (this.causa === undefined && this.history !== history)
      this.leave(new Refused('a new primary', 'Hay otro primario.'), 0);
    if (this.causa !== undefined) {
      if (performance.now() >= this.retryAt) this.admit();
      return false;
    }
    if (this.replayed >= this.missed) return true;
    if (performance.now() - this.lookedAt > LATE_LOOK_MS) void this.look();
    return false;
  }

  /** Looks until it has replayed `position`, or until it is left alone, or late. @returns whether it has. */
  async reach(position: Position, deadline: number): Promise<boolean> {
    while (!this.has(position)) {
      if (this.causa !== undefined || performance.now() >= deadline) return false;
      await this.look();
    }
    return true;
  }

  /** Notes that a read did not wait any longer. */
  miss({ lsn }: Position): void {
    this.missed = lsn;
  }

  /** Bytes of the log that it has not replayed; undefined where it does not say. One that failed is asked again, as by a read. */
  async lag(position: Position): Promise<number | undefined> {
    if (this.causa !== undefined) {
      if (performance.now() >= this.retryAt) this.admit();
      return undefined;
    }
    await this.look();
    return this.causa === undefined ? Math.max(0, Number(position.lsn - this.replayed)) : undefined;
  }

  /** Runs a statement that only reads. After a failure it is left alone for a while, unless a value was to blame. */
  async run(config: QueryArrayConfig): Promise<QueryResult<(string | null)[]>>;
  async run<R extends object>(config: QueryConfig): Promise<QueryResult<R & Record<string, unknown>>>;
  async run(config: QueryConfig): Promise<QueryResult> {
    this.reading++;
    try {
      const result = await runOn(await this.connect(), config);
      this.pauseMs = FIRST_PAUSE_MS;
      return result;
    } catch (error) {
      if (!isFaultOfOneRow(error)) this.leave(error);
      throw error;
    } finally {
      this.reading--;
    }
  }

  /** Asks the server who it is, if the last failure is long enough ago. Never fails. */
  admit(): void {
    this.admitting ??= this.identify()
      .catch((error: unknown) => this.leave(error))
      .finally(() => (this.admitting = undefined));
  }

  async close(): Promise<void> {
    await Promise.all([this.reads.end(), this.looks.end()]);
  }

  /**
   * Its own position is asked first: a replica is never ahead of its primary, and a server that is follows another
   * history, as one that had more of the old primary's log than the one that was promoted.
   */
  private async identify(): Promise<void> {
    const { standby, lsn, server } = await this.ask();
    if (!standby)
      throw new Refused(
        'it is not a replica: it takes writes of its own',
        'No es una réplica: acepta escrituras propias.',
      );
    const own = await this.looks.query<{ system: string }>(systemOf);
    const [system, position] = await Promise.all([this.primary.system(), this.primary.now()]).catch(() => {
      throw new Refused('the primary does not answer', 'El primario no responde.');
    });
    if (own.rows[0]!.system !== system)
      throw new Refused('it is a replica of another cluster', 'Es réplica de otro clúster.');
    if (lsn > position.lsn)
      throw new Refused(
        'it is ahead of the primary: it followed another one',
        'Va delante del primario: siguió a otro.',
      );
    this.server = server;
    this.history = position.history;
    this.replayed = lsn;
    this.missed = 0n;
    this.causa = undefined;
    this.logger.info({ replica: this.name }, 'a replica is read');
  }

  /** Asks how far it is; whoever asks meanwhile shares the answer. Never fails: who cannot answer is left alone. */
  private look(): Promise<void> {
    this.looking ??= this.lookOnce()
      .catch((error: unknown) => this.leave(error))
      .finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    const pause = this.lookedAt + LOOK_PAUSE_MS - performance.now();
    if (pause > 0) await sleep(pause);
    const beganAt = performance.now();
    const { standby, lsn, server } = await this.ask();
    this.lookedAt = performance.now();
    if (!standby)
      throw new Refused(
        'it is not a replica any more: it was promoted',
        'Ya no es una réplica: fue promovida.',
      );
    if (server !== this.server)
      throw new Refused('another server answers there', 'Ahora responde ahí otro servidor.');
    if (lsn > this.replayed) this.replayed = lsn;
    this.confirmedAt = beganAt;
  }

  private async ask(): Promise<{ standby: boolean; lsn: bigint; server: string }> {
    const client = await this.looks.connect();
    const { rows } = await runOn<ReplicaRow>(client, replicaPosition);
    return { standby: rows[0]!.standby, lsn: BigInt(rows[0]!.lsn ?? 0), server: this.servers.get(client)! };
  }

  /** A connection to the server whose position is known. */
  private async connect(): Promise<PoolClient> {
    for (let n = 0; n <= POOL_SIZE; n++) {
      const client = await this.reads.connect();
      if (this.servers.get(client) === this.server) return client;
      // Of the time before a restart, or of another server.
      client.release(true);
    }
    throw new Refused(
      'its address leads to several servers: give each a URL of its own',
      'Su dirección lleva a varios servidores: dé a cada uno su propia URL.',
    );
  }

  private leave(error: unknown, pauseMs = this.pauseMs): void {
    // What fails beside the first failure says nothing new.
    if (this.causa !== undefined && !this.admitting) return;
    const { reason, causa } = whyOf(error);
    this.retryAt = performance.now() + pauseMs;
    if (pauseMs > 0) this.pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    if (this.causa === causa) return;
    this.causa = causa;
    this.logger.warn({ replica: this.name, reason }, 'a replica is not read; the primary answers instead');
  }

  /** Notes which server a new connection leads to. */
  private async note(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ server: string }>(serverOf);
    this.servers.set(client, rows[0]!.server);
  }

  private pool(url: string, limits: ConnectionLimits, max: number): Pool {
    const config = poolConfig(limits);
    const pool = new pg.Pool({
      ...config,
      connectionString: url,
      max,
      // pg awaits the returned promise, although its types say void.
      onConnect: (client) => config.onConnect(client).then(() => this.note(client)) as unknown as void,
    });
    // A broken idle connection leaves the pool by itself.
    pool.on('error', () => undefined);
    return pool;
  }
}

/** For the log and for operators; without the texts of servers' errors, which may quote values and names. */
function whyOf(error: unknown): { reason: string; causa: string } {
  if (error instanceof Refused) return { reason: error.message, causa: error.causa };
  const { code, message } = error as Error & { code?: string };
  const state = sqlStateOf(error);
  if (state !== undefined) return { reason: state, causa: `Responde con un error (${state}).` };
  return { reason: code ?? message, causa: code === undefined ? 'No responde.' : `No responde (${code}).` };
}
