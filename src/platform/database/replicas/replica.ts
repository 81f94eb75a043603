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
import { poolConfig } from '../data-source.js';
import { POOL_SIZE } from '../pool-size.js';
import { runOn } from '../database.js';
import { connectionOf } from '../connection.js';
import { isFaultOfOneRow, sqlStateOf } from '../sqlstate.js';
import type { ConnectionLimits } from '../time-limits.js';
import type { Position, PrimaryPosition } from './primary-position.js';
import { replicaPosition, serverOf, systemOf, type ReplicaRow } from './replicas.queries.js';

/** Less than half of the time for an answer, so that the primary can still answer. */
const READ_LIMITS: ConnectionLimits = {
  connection: 1_000,
  statement: 2_000,
  silence: 2_200,
  lock: 500,
  transaction: 2_000,
};

/** Timeouts of looks, which are cheap: a server that takes longer is unreachable. */
const LOOK_LIMITS: ConnectionLimits = {
  connection: 1_000,
  statement: 500,
  silence: 600,
  lock: 500,
  transaction: 500,
};

/** ms between two looks while reads wait. A replica nearby replays a commit in about 1 ms. */
const LOOK_PAUSE_MS = 1;

/** ms between two looks at a replica with a lag, for which reads do not wait. */
const LATE_LOOK_MS = 100;

/** ms for which a look stays valid. A replica promoted by mistake may be read for as long. */
const CONFIRMED_MS = 250;

/** ms of the first and of the longest backoff after a failure. */
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

/** One replica: its position in the log, whether it is read, and its connections. */
export class Replica {
  /** Host and port: no user, no password. */
  readonly name: string;
  /** Why it is not read, in Spanish; undefined while it is. */
  causa: string | undefined = 'Todavía no se le ha preguntado.';
  /** Reads in flight. */
  reading = 0;

  private readonly reads: Pool;
  /** A pool of their own, so that slow reads do not make the replica look unreachable. */
  private readonly looks: Pool;
  private readonly servers = new WeakMap<object, string>();
  private server: string | undefined;
  private history: string | undefined;
  private replayed = 0n;
  /** When the last look began that found a replica. */
  private confirmedAt = -Infinity;
  /** The position of the last read that timed out; until it is replayed, no read waits. */
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
    const { host, port } = new pg.Client(connectionOf(url));
    this.name = `${host}:${port}`;
  }

  /** Whether it has replayed `position`, by a look that is still valid. */
  has({ history, lsn }: Position): boolean {
    return (
      this.causa === undefined &&
      this.history === history &&
      this.replayed >= lsn &&
      performance.now() - this.confirmedAt < CONFIRMED_MS
    );
  }

  /** Whether it will probably replay `position` soon. Starts a look or an admission in the background where that is needed. */
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

  /** Looks until it has replayed `position`, fails, or the deadline passes. @returns whether it has replayed it. */
  async reach(position: Position, deadline: number): Promise<boolean> {
    while (!this.has(position)) {
      if (this.causa !== undefined || performance.now() >= deadline) return false;
      await this.look();
    }
    return true;
  }

  /** Notes that a read timed out while it waited for a position. */
  miss({ lsn }: Position): void {
    this.missed = lsn;
  }

  /** Bytes of the log that it has yet to replay; undefined if it does not answer. After the backoff a failed replica is asked again. */
  async lag(position: Position): Promise<number | undefined> {
    if (this.causa !== undefined) {
      if (performance.now() >= this.retryAt) this.admit();
      return undefined;
    }
    await this.look();
    return this.causa === undefined ? Math.max(0, Number(position.lsn - this.replayed)) : undefined;
  }

  /** Runs a statement that only reads. After an error the replica is not read for a while, unless a value caused the error. */
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

  /** Asks the server in the background whether it is a replica of our primary; then it is read again. Never fails. */
  admit(): void {
    this.admitting ??= this.identify()
      .catch((error: unknown) => this.leave(error))
      .finally(() => (this.admitting = undefined));
  }

  async close(): Promise<void> {
    await Promise.all([this.reads.end(), this.looks.end()]);
  }

  /**
   * Asks the replica for its position first, then the primary. A replica is never ahead of its primary; a server that is
   * ahead follows another timeline, for example because it had more of a former primary's log than the promoted server.
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
        'it is ahead of the primary: it has replicated from another server',
        'Va delante del primario: siguió a otro.',
      );
    this.server = server;
    this.history = position.history;
    this.replayed = lsn;
    this.missed = 0n;
    this.causa = undefined;
    this.logger.info({ replica: this.name }, 'replica in use');
  }

  /** Asks for its position; concurrent calls share the answer. Never fails. A replica that fails is not read for a while. */
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

  /** A connection to the same server as the known position. */
  private async connect(): Promise<PoolClient> {
    for (let n = 0; n <= POOL_SIZE; n++) {
      const client = await this.reads.connect();
      if (this.servers.get(client) === this.server) return client;
      // Opened before a restart, or leads to another server.
      client.release(true);
    }
    throw new Refused(
      'its address leads to several servers: give each a URL of its own',
      'Su dirección lleva a varios servidores: dé a cada uno su propia URL.',
    );
  }

  private leave(error: unknown, pauseMs = this.pauseMs): void {
    // Already marked as failed.
    if (this.causa !== undefined && !this.admitting) return;
    const { reason, causa } = whyOf(error);
    this.retryAt = performance.now() + pauseMs;
    if (pauseMs > 0) this.pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    if (this.causa === causa) return;
    this.causa = causa;
    this.logger.warn({ replica: this.name, reason }, 'replica not used; reads go to the primary');
  }

  /** Remembers which server a new connection leads to. */
  private async note(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ server: string }>(serverOf);
    this.servers.set(client, rows[0]!.server);
  }

  private pool(url: string, limits: ConnectionLimits, max: number): Pool {
    const config = poolConfig(limits);
    const pool = new pg.Pool({
      ...config,
      ...connectionOf(url),
      max,
      // pg awaits the returned promise, although its types say void.
      onConnect: (client) => config.onConnect(client).then(() => this.note(client)) as unknown as void,
    });
    // A broken idle connection leaves the pool by itself.
    pool.on('error', () => undefined);
    return pool;
  }
}

/** The reason for the log and for operators, without the server's message, which may quote values and names. */
function whyOf(error: unknown): { reason: string; causa: string } {
  if (error instanceof Refused) return { reason: error.message, causa: error.causa };
  const { code, message } = error as Error & { code?: string };
  const state = sqlStateOf(error);
  if (state !== undefined) return { reason: state, causa: `Responde con un error (${state}).` };
  return { reason: code ?? message, causa: code === undefined ? 'No responde.' : `No responde (${code}).` };
}
