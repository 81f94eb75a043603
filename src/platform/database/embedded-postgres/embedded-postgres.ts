import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { hasCluster } from '../../config/data-dir.js';
import { SCRAM_ALONE } from '../connection.js';
import {
  DATABASE,
  goneFault,
  joinOrStart,
  joinServer,
  releasePresence,
  STOP_MS,
  type Joined,
} from './join-server.js';
import { prepareHome, SERVICE_USER, servicePassword, USER, type Home } from './postgres-home.js';
import { findServer, signalServer, stopServer } from './postmaster-pid.js';

/** ms that a stopping process waits for a server that is still starting. */
const LEAVE_MS = 3_000;

/** ms between two looks whether the data folder is still there; PostgreSQL itself looks once a minute. */
const LOOK_MS = 5_000;

/** An embedded PostgreSQL server, shared by all processes with the same data folder. */
export interface EmbeddedPostgres {
  /** URL for the service, whose role may only read and write data. Does not change during the life of the process. */
  readonly url: string;
  /** The superuser's, for migrations. */
  readonly ownerUrl: string;
  /** Disconnects, and stops the server within ms if no other process uses it. Idempotent. */
  stop(limitMs?: number): Promise<void>;
  /** For a second signal: tells the server to stop, without waiting, unless another process used it first. */
  kill(): void;
}

interface EmbeddedPostgresOptions {
  /** DATA_DIR: contains the cluster, its password and its log. */
  dataDir: string;
  /**
   * Called with one line when the server is lost, and again when a restart fails for another reason than the one before.
   * The restart is retried until it succeeds.
   */
  onTrouble?: (message: string) => void;
  /** @internal The `native` folder of the binaries' package, for tests. */
  native?: string;
}

/**
 * Starts PostgreSQL in the data folder, or joins the server that another process (alive or killed) started there. The
 * last process to stop also stops the server.
 * @throws StartupError if a person must fix something first.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await prepareHome(options.dataDir, options.native);
  return new HeldServer(home, await joinOrStart(home), options.onTrouble);
}

/** Holds the presence lock, and restarts the server when it goes away. */
class HeldServer implements EmbeddedPostgres {
  readonly url: string;
  readonly ownerUrl: string;
  private readonly port: number;
  private readonly leaving = new AbortController();
  private presence: pg.Client | undefined;
  private isOurs = false;
  private recovery = Promise.resolve();
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly home: Home,
    joined: Joined,
    private readonly onTrouble: (message: string) => void = () => undefined,
  ) {
    this.port = joined.port;
    const urlOf = (user: string, password: string) =>
      `postgres://${user}:${password}@127.0.0.1:${joined.port}/${DATABASE}?${SCRAM_ALONE}`;
    this.ownerUrl = urlOf(USER, home.password);
    this.url = urlOf(SERVICE_USER, servicePassword(home));
    this.hold(joined);
    this.look();
  }

  stop(limitMs = STOP_MS): Promise<void> {
    this.stopped ??= this.leave(Date.now() + limitMs);
    return this.stopped;
  }

  kill(): void {
    this.leaving.abort();
    const server = this.isOurs ? findServer(this.home.cluster) : undefined;
    if (server) signalServer(server.pid, 'SIGINT');
  }

  /** Reports once that the data folder was removed: until PostgreSQL ends, requests fail for many reasons. */
  private look(): void {
    const timer = setInterval(() => {
      const isGone = this.presence !== undefined && !hasCluster(this.home.dataDir);
      if (isGone) this.onTrouble(goneFault(this.home));
      if (isGone || this.leaving.signal.aborted) clearInterval(timer);
    }, LOOK_MS).unref();
  }

  private hold({ presence, isOurs }: Joined): void {
    this.presence = presence;
    this.isOurs = isOurs;
    presence.once('end', () => {
      this.presence = undefined;
      if (this.leaving.signal.aborted) return;
      this.recovery = this.recover();
      this.onTrouble('the embedded PostgreSQL went away; starting it again');
    });
  }

  private async recover(): Promise<void> {
    const { signal } = this.leaving;
    let reported: string | undefined;
    for (let pause = 100; !signal.aborted; pause = Math.min(pause * 2, 5_000)) {
      try {
        return this.hold(await joinOrStart(this.home, this.port, signal));
      } catch (error) {
        if (signal.aborted) return;
        const { message } = error as Error;
        if (message !== reported) this.onTrouble(message);
        reported = message;
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async leave(until: number): Promise<void> {
    this.leaving.abort();
    await this.recovery;
    const { cluster } = this.home;
    let server = findServer(cluster);
    // Another process may use the server; its lock is visible only once the server is ready.
    const startBy = Math.min(until, Date.now() + LEAVE_MS);
    while (server?.status === 'starting' && Date.now() < startBy) {
      await sleep(20);
      server = findServer(cluster);
    }
    if (!server) return;
    const joined = this.presence
      ? undefined
      : await joinServer(this.home, server.port).catch(() => undefined);
    const presence = this.presence ?? joined?.presence;
    this.isOurs = presence === undefined || (await releasePresence(presence));
    if (this.isOurs) await stopServer(server.pid, cluster, until - Date.now());
    else await presence?.end();
  }
}
