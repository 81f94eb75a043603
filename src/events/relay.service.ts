import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { StartupError } from '../errors/startup-error.js';
import { InjectLogger } from '../logging/logging.module.js';
import { RELAYED_TIPOS, type EventoTipo } from './evento-tipo.js';

/** Events taken in one pass: enough to keep the round trips small beside the work. */
const BATCH = 500;

/** The same while requests come: a pass holds them up no longer than they notice. */
const BATCH_BESIDE_REQUESTS = 100;

/** The same after a pass that failed: perhaps it was too much, and what is undone was written for nothing. */
const BATCH_AFTER_FAILURE = 50;

/** Milliseconds between sweeps: how long an event of a process that died waits at most. */
const SWEEP_MS = 2_000;

/** Passes at the same time while there is more than one batch: one asks the database while the other fills queues. */
const LANES = 2;

/** How much longer than a pass the rest after it is at most, while requests come. */
const GIVE_WAY = 4;

/** Milliseconds between looks whether they still do. */
const REST_MS = 2;

/** An event as its subscribers see it. */
export interface PendingEvento {
  comercio_id: string;
  guia_id: string;
  id: string;
  tipo: EventoTipo;
  /** Its place among its guide's. */
  secuencia: number;
}

/**
 * Takes events of some type. It resolves once what follows from them is safe: rows committed, jobs queued. It
 * may be called again with the same events, and then must change nothing.
 */
export type EventSubscriber = (eventos: PendingEvento[]) => Promise<void>;

/**
 * Marks them at once: until the transaction's end nobody else sees it, and without that end it never was. By their place
 * in the table, which a locked row keeps: `eventos` has no partitions, and nothing but this ever updates it.
 */
const CLAIM = `update eventos set despachado_en = now()
where ctid = any (array(
  select ctid from eventos where despachado_en is null order by id limit $1 for no key update skip locked
))
returning comercio_id, guia_id, id, tipo, secuencia`;

/**
 * Turns recorded events into work: the outbox. It starts at once when its own process has written an event
 * and sweeps for those of processes that died. Any number of relays run side by side: each row is locked by
 * the one that works on it, and its mark holds only once its subscribers are done.
 */
@Injectable()
export class RelayService implements BeforeApplicationShutdown {
  private readonly subscribers = new Map<EventoTipo, EventSubscriber[]>();
  private running: Promise<void> | undefined;
  private isAskedAgain = false;
  private isFailing = false;
  private sweep: NodeJS.Timeout | undefined;
  private hasPrecedence = () => false;

  constructor(
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** To be called while modules are initialised. */
  subscribe(tipos: readonly EventoTipo[], subscriber: EventSubscriber): void {
    for (const tipo of tipos) this.subscribers.set(tipo, [...(this.subscribers.get(tipo) ?? []), subscriber]);
  }

  /** @throws StartupError when an event would be recorded that nobody takes. */
  start(): void {
    const orphans = RELAYED_TIPOS.filter((tipo) => !this.subscribers.has(tipo));
    if (orphans.length > 0) throw new StartupError(`events without a subscriber: ${orphans.join(', ')}`);
    this.sweep = setInterval(() => this.wake(), SWEEP_MS);
    this.wake();
  }

  /** @param hasPrecedence whether requests come: then a backlog takes a small part of the process. */
  giveWayWhile(hasPrecedence: () => boolean): void {
    this.hasPrecedence = hasPrecedence;
  }

  /** Hands on nothing more; waits for what is under way. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.sweep);
    this.sweep = undefined;
    this.isAskedAgain = false;
    await this.running;
  }

  /** There is, or may be, something to do. Returns at once; does nothing where no relay was started. */
  wake(): void {
    if (!this.sweep) return;
    this.isAskedAgain = true;
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    while (this.isAskedAgain) {
      this.isAskedAgain = false;
      try {
        if (await this.isMoreToDo()) await this.drain();
      } catch (error) {
        // Once for an outage: the sweep tries again every few seconds.
        if (!this.isFailing) this.logger.warn({ err: error }, 'events wait: the relay will try again');
        this.isFailing = true;
      }
    }
    // In the same turn as the last look: a wake-up in between would be lost.
    this.running = undefined;
  }

  private async drain(): Promise<void> {
    const lane = async () => {
      while (await this.isMoreToDo());
    };
    // Where one fails, `run` waits for the other all the same: no more than these work at a time.
    const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Works on one batch. */
  private async isMoreToDo(): Promise<boolean> {
    const began = performance.now();
    const batch = this.batch();
    const taken = await this.pass(batch);
    // An empty pass proves nothing: another may hold the events that cannot be handed on.
    if (this.isFailing && taken > 0) {
      this.logger.info('the relay hands events on again');
      this.isFailing = false;
    }
    if (taken < batch) return false;
    const until = performance.now() + GIVE_WAY * (performance.now() - began);
    while (this.sweep && this.hasPrecedence() && performance.now() < until) await sleep(REST_MS);
    return this.sweep !== undefined;
  }

  private batch(): number {
    if (this.isFailing) return BATCH_AFTER_FAILURE;
    return this.hasPrecedence() ? BATCH_BESIDE_REQUESTS : BATCH;
  }

  /** The number of events taken. */
  private async pass(batch: number): Promise<number> {
    const client = await this.database.pool.connect();
    // A connection that breaks between two queries says so here, and would end the process unheard.
    const ignore = () => undefined;
    client.on('error', ignore);
    try {
      await client.query('begin');
      const taken = await this.dispatch(client, batch);
      await client.query('commit');
      client.off('error', ignore);
      client.release();
      return taken;
    } catch (error) {
      // The connection's end is its transaction's end.
      client.release(true);
      throw error;
    }
  }

  private async dispatch(client: PoolClient, batch: number): Promise<number> {
    const { rows } = await client.query<PendingEvento>({
      name: 'eventos-claim',
      text: CLAIM,
      values: [batch],
    });
    // Oldest first.
    rows.sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const tipo of new Set(rows.map((evento) => evento.tipo))) {
      const eventos = rows.filter((evento) => evento.tipo === tipo);
      for (const subscriber of this.subscribers.get(tipo) ?? []) await subscriber(eventos);
    }
    return rows.length;
  }
}
