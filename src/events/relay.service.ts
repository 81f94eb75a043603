import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { StartupError } from '../errors/startup-error.js';
import { InjectLogger } from '../logging/logging.module.js';
import { RELAYED_TIPOS, type EventoTipo } from './evento-tipo.js';
import { claimEventos } from './relay.queries.js';

/** Events per transaction: enough that round trips cost little. */
const BATCH = 500;

/** While requests come in, so that a batch does not delay them noticeably. */
const BATCH_BESIDE_REQUESTS = 100;

/** After a failure: perhaps the batch was too large, and what is rolled back was written for nothing. */
const BATCH_AFTER_FAILURE = 50;

/** Milliseconds; how long the events of a process that died wait at most. */
const SWEEP_MS = 2_000;

/** Concurrent batches of a backlog: one queries the database while the other adds jobs. */
const CONCURRENT_BATCHES = 2;

/** While requests come in, the relay pauses at most this many times the duration of its last batch. */
const GIVE_WAY = 4;

/** Milliseconds between checks for requests during that pause. */
const GIVE_WAY_CHECK_MS = 2;

/** An event as its subscribers see it. */
export interface PendingEvento {
  comercio_id: string;
  guia_id: string;
  id: string;
  tipo: EventoTipo;
  /** Its place among the events of its guide. */
  secuencia: number;
}

/** Resolves once the consequences of the events are safe: rows committed, jobs queued. Must be idempotent. */
export type EventSubscriber = (eventos: PendingEvento[]) => Promise<void>;

/**
 * Dispatches recorded events to their subscribers: the outbox. Wakes up when its own process has written an event,
 * and sweeps for events of processes that died. Any number of relays run side by side: each locks its batch, and
 * commits once the subscribers are done.
 */
@Injectable()
export class RelayService implements BeforeApplicationShutdown {
  private readonly subscribers = new Map<EventoTipo, EventSubscriber[]>();
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isFailing = false;
  private sweep: NodeJS.Timeout | undefined;
  private isServing = () => false;

  constructor(
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** To be called while modules are initialised. */
  subscribe(tipos: readonly EventoTipo[], subscriber: EventSubscriber): void {
    for (const tipo of tipos) this.subscribers.set(tipo, [...(this.subscribers.get(tipo) ?? []), subscriber]);
  }

  /** @throws StartupError if a type that is relayed has no subscriber. */
  start(): void {
    const orphans = RELAYED_TIPOS.filter((tipo) => !this.subscribers.has(tipo));
    if (orphans.length > 0) throw new StartupError(`events without a subscriber: ${orphans.join(', ')}`);
    this.sweep = setInterval(() => this.wake(), SWEEP_MS);
    this.wake();
  }

  /** @param isServing whether requests come in; then dispatching a backlog leaves them most of the process. */
  giveWayWhile(isServing: () => boolean): void {
    this.isServing = isServing;
  }

  /** Waits for the batches in progress; dispatches no more. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.sweep);
    this.sweep = undefined;
    this.isWoken = false;
    await this.running;
  }

  /** Dispatches what there is. Returns at once; does nothing if the relay is not started. */
  wake(): void {
    if (!this.sweep) return;
    this.isWoken = true;
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    while (this.isWoken) {
      this.isWoken = false;
      try {
        if (await this.dispatchBatch()) await this.drain();
      } catch (error) {
        // One line per outage: the sweep tries again every few seconds.
        if (!this.isFailing) this.logger.warn({ err: error }, 'events wait: the relay will try again');
        this.isFailing = true;
      }
    }
    // Synchronously after the last check of `isWoken`: a wake-up in between would be lost.
    this.running = undefined;
  }

  private async drain(): Promise<void> {
    const dispatchAll = async () => {
      while (await this.dispatchBatch());
    };
    // If one fails, wait for the other too: never more than this many at a time.
    const ended = await Promise.allSettled(Array.from({ length: CONCURRENT_BATCHES }, dispatchAll));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Returns whether there may be more. */
  private async dispatchBatch(): Promise<boolean> {
    const began = performance.now();
    const size = this.batchSize();
    const taken = await this.inTransaction((client) => this.dispatch(client, size));
    // An empty batch does not prove recovery: another relay may hold the events that fail.
    if (this.isFailing && taken > 0) {
      this.logger.info('the relay dispatches events again');
      this.isFailing = false;
    }
    if (taken < size) return false;
    const until = performance.now() + GIVE_WAY * (performance.now() - began);
    while (this.sweep && this.isServing() && performance.now() < until) await sleep(GIVE_WAY_CHECK_MS);
    return this.sweep !== undefined;
  }

  private batchSize(): number {
    if (this.isFailing) return BATCH_AFTER_FAILURE;
    return this.isServing() ? BATCH_BESIDE_REQUESTS : BATCH;
  }

  private async inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.database.pool.connect();
    // Without a listener the error of a connection that breaks between two queries would end the process.
    const ignore = () => undefined;
    client.on('error', ignore);
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      client.off('error', ignore);
      client.release();
      return result;
    } catch (error) {
      // Closing the connection rolls back.
      client.release(true);
      throw error;
    }
  }

  /** Returns the number of events. */
  private async dispatch(client: PoolClient, limit: number): Promise<number> {
    const { rows } = await client.query<PendingEvento>(claimEventos(limit));
    // UPDATE returns rows in no order; ids are in order of time.
    rows.sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const tipo of new Set(rows.map((evento) => evento.tipo))) {
      const eventos = rows.filter((evento) => evento.tipo === tipo);
      for (const subscriber of this.subscribers.get(tipo) ?? []) await subscriber(eventos);
    }
    return rows.length;
  }
}
