import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { PoolClient, QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { StartupError } from '../errors/startup-error.js';
import { InjectLogger } from '../logging/logging.module.js';
import type { NewJob } from '../queues/new-job.js';
import { QueuesService } from '../queues/queues.service.js';
import { detached } from '../tracing/spans.js';
import { causeOf, dispatchFault, UnknownEvento } from './dispatch-fault.js';
import { inDispatchSpans } from './dispatch-spans.js';
import { RELAYED_TIPOS, type EventoTipo } from './evento-tipo.js';
import { claimEventos, claimParkedEvento, parkEventos } from './relay.queries.js';

/** Events per transaction: enough that round trips cost little. */
const BATCH = 500;

/** While requests come in, so that a batch does not delay them noticeably. */
const BATCH_BESIDE_REQUESTS = 100;

/** A part of a batch that fails is divided into so many. */
const PARTS = 4;

/** By this much a batch shrinks with each failure, and grows again with each success: perhaps it was too large. */
const SHRINK = 8;

/** From then on a batch is one event. */
const MAX_FAILURES = 3;

/** Milliseconds; how long the events of a process that died wait at most. */
const SWEEP_MS = 2_000;

/** Parked events tried again in one sweep, one by one. */
const PARKED_PER_SWEEP = 20;

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
  /** W3C `traceparent` for what follows from it; null without tracing. */
  traza: string | null;
}

/** A job that follows from an event. */
export interface EventoJob {
  /** Id of the event. */
  evento: string;
  queue: string;
  job: NewJob;
}

/**
 * Commits the rows that follow from events, and returns the jobs for them, which the relay adds. Must be idempotent:
 * until the jobs are added, the events may come again, and with them the same jobs are wanted.
 */
export type EventSubscriber = (eventos: PendingEvento[]) => Promise<EventoJob[]>;

/** An event that cannot be dispatched, and why. */
interface Failure {
  evento: PendingEvento;
  error: unknown;
}

/**
 * Dispatches recorded events to their subscribers: the outbox. Wakes up when its own process has written an event,
 * and sweeps for events of processes that died. Any number of relays run side by side: each locks its batch, and
 * commits once the subscribers are done. An event that cannot be dispatched is parked: tried again later, beside the
 * others.
 */
@Injectable()
export class RelayService implements BeforeApplicationShutdown {
  private readonly subscribers = new Map<EventoTipo, EventSubscriber[]>();
  private running: Promise<void> | undefined;
  private retrying: Promise<void> | undefined;
  private isWoken = false;
  private isFailing = false;
  /** Up by one with each batch that fails, down with each that does not; 0 to `MAX_FAILURES`. */
  private failures = 0;
  private sweep: NodeJS.Timeout | undefined;
  private isServing = () => false;

  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
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
    this.sweep = setInterval(() => {
      this.wake();
      this.retrying ??= this.retryParked().finally(() => (this.retrying = undefined));
    }, SWEEP_MS);
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
    await Promise.all([this.running, this.retrying]);
  }

  /** Dispatches what there is. Returns at once; does nothing if the relay is not started. */
  wake(): void {
    if (!this.sweep) return;
    this.isWoken = true;
    this.running ??= detached(() => this.run());
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
        this.failures = Math.min(this.failures + 1, MAX_FAILURES);
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
    const taken = await this.dispatch(claimEventos(size));
    // An empty batch does not prove recovery: another relay may hold the events that fail.
    if (this.isFailing && taken > 0) this.logger.info('the relay dispatches events again');
    if (taken > 0) {
      this.isFailing = false;
      this.failures = Math.max(this.failures - 1, 0);
    }
    if (taken < size) return false;
    const until = performance.now() + GIVE_WAY * (performance.now() - began);
    while (this.sweep && this.isServing() && performance.now() < until) await sleep(GIVE_WAY_CHECK_MS);
    return this.sweep !== undefined;
  }

  private batchSize(): number {
    if (this.failures === MAX_FAILURES) return 1;
    const size = this.isServing() ? BATCH_BESIDE_REQUESTS : BATCH;
    return Math.ceil(size / SHRINK ** this.failures);
  }

  /** Failures are left to `run`, which finds the same database and queue store. */
  private async retryParked(): Promise<void> {
    try {
      for (let n = 0; n < PARKED_PER_SWEEP && this.sweep; n++)
        if ((await this.dispatch(claimParkedEvento())) === 0) return;
    } catch {
      // The next sweep tries again.
    }
  }

  /** Dispatches the events that `claim` locks, in one transaction. Returns their number. */
  private async dispatch(claim: QueryConfig): Promise<number> {
    const client = await this.database.pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<PendingEvento>(claim);
      // UPDATE returns rows in no order; ids are in order of time.
      rows.sort((one, other) => (one.id < other.id ? -1 : 1));
      const failures = await inDispatchSpans(rows, () => this.handOut(rows));
      if (failures.length > 0) await this.park(client, failures);
      await client.query('commit');
      client.release();
      return rows.length;
    } catch (error) {
      // Closing the connection rolls back.
      client.release(true);
      throw error;
    }
  }

  /** Calls every subscriber of the events and adds their jobs. Returns the events for which one of these failed. */
  private async handOut(all: PendingEvento[]): Promise<Failure[]> {
    const failures: Failure[] = [];
    const jobs: EventoJob[] = [];
    for (const tipo of new Set(all.map((evento) => evento.tipo))) {
      const eventos = all.filter((evento) => evento.tipo === tipo);
      for (const subscriber of this.subscribers.get(tipo) ?? [refuse]) {
        const handle = async (some: PendingEvento[]) => void jobs.push(...(await subscriber(some)));
        failures.push(...(await failuresOf(handle, eventos)));
      }
    }
    // At the end and together: a search among the events repeats statements, but adds no job twice.
    const waiting = new Set(jobs.map(({ evento }) => evento));
    const add = (some: PendingEvento[]) => this.addJobs(some, jobs);
    failures.push(
      ...(await failuresOf(
        add,
        all.filter(({ id }) => waiting.has(id)),
      )),
    );
    return failures;
  }

  private async addJobs(eventos: PendingEvento[], all: EventoJob[]): Promise<void> {
    const trazas = new Map(eventos.map(({ id, traza }) => [id, traza]));
    const jobs = all.filter(({ evento }) => trazas.has(evento));
    for (const name of new Set(jobs.map(({ queue }) => queue)))
      await this.queues.add(
        name,
        jobs
          .filter(({ queue }) => queue === name)
          .map(({ evento, job }) => ({ ...job, traceparent: trazas.get(evento) })),
      );
  }

  private async park(client: PoolClient, failures: Failure[]): Promise<void> {
    const parked = new Map(
      failures.map(({ evento, error }) => [evento.id, { ...evento, causa: causeOf(error) }]),
    );
    const { rows } = await client.query<{ id: string; intentos: number }>(parkEventos([...parked.values()]));
    const isNew = new Set(rows.filter(({ intentos }) => intentos === 1).map(({ id }) => id));
    for (const { evento, error } of failures) {
      const { id, tipo, guia_id: guia } = evento;
      if (isNew.has(id)) this.logger.error({ err: error, evento: id, tipo, guia }, 'event parked');
    }
  }
}

const refuse: EventSubscriber = () => Promise.reject(new UnknownEvento());

/**
 * Handles events together. Where that fails because of some of them, finds those by handling ever smaller parts, so
 * that all others are done.
 * @throws where it fails for another reason.
 */
async function failuresOf(
  handle: (eventos: PendingEvento[]) => Promise<void>,
  eventos: PendingEvento[],
): Promise<Failure[]> {
  if (eventos.length === 0) return [];
  try {
    await handle(eventos);
    return [];
  } catch (error) {
    const fault = dispatchFault(error);
    const isAlone = eventos.length === 1;
    if (fault === 'store' || (fault === 'unclear' && !isAlone)) throw error;
    if (isAlone) return [{ evento: eventos[0]!, error }];
    const failures: Failure[] = [];
    const size = Math.ceil(eventos.length / PARTS);
    for (let from = 0; from < eventos.length; from += size)
      failures.push(...(await failuresOf(handle, eventos.slice(from, from + size))));
    return failures;
  }
}
