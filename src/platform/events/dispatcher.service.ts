import { Injectable } from '@nestjs/common';
import type { PoolClient, QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { InjectLogger } from '../logging/logging.module.js';
import type { NewJob } from '../queues/new-job.js';
import { QueuesService } from '../queues/queues.service.js';
import { causeOf, dispatchFault, UnknownEvento } from './dispatch-fault.js';
import { inDispatchSpans } from './dispatch-spans.js';
import { RELAYED_TIPOS, type EventoTipo } from './evento-tipo.js';
import { dueEventos, parkEventos, type DueEventos } from './relay.queries.js';
import type { Evento } from './evento.entity.js';

/** A failed batch is split into this many parts. */
const PARTS = 4;

/** An event as its subscribers see it. */
export type PendingEvento = Pick<Evento, 'comercio_id' | 'guia_id' | 'id' | 'tipo' | 'secuencia' | 'traza'>;

export interface EventoJob {
  eventoId: string;
  queue: string;
  job: NewJob;
}

/**
 * Commits the rows that follow from events, and returns the jobs for them, which the relay adds. Must be idempotent: if the
 * jobs are not added, it is called again with the same events, and must return the same jobs.
 */
export type EventSubscriber = (eventos: PendingEvento[]) => Promise<EventoJob[]>;

interface Failure {
  evento: PendingEvento;
  error: unknown;
}

@Injectable()
export class DispatcherService {
  private readonly subscribers = new Map<EventoTipo, EventSubscriber[]>();

  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Call it during module initialisation. `guia.creada` is relayed only where `guias/create/guia-inserts.queries.ts` says
   * that a subscriber has something to do: a new subscriber adds its case there.
   */
  subscribe(tipos: readonly EventoTipo[], subscriber: EventSubscriber): void {
    for (const tipo of tipos) this.subscribers.set(tipo, [...(this.subscribers.get(tipo) ?? []), subscriber]);
  }

  /** Relayed types without a subscriber. */
  orphans(): EventoTipo[] {
    return RELAYED_TIPOS.filter((tipo) => !this.subscribers.has(tipo));
  }

  async due(): Promise<DueEventos> {
    const { rows } = await this.database.pool.query<DueEventos>(dueEventos());
    return rows[0]!;
  }

  /**
   * Dispatches the events that `claim` takes, in one transaction. Returns their number. Not `Database.transaction`, which runs
   * its work again after a deadlock: subscribers commit rows of their own.
   */
  async dispatch(claim: QueryConfig): Promise<number> {
    const client = await this.database.pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<PendingEvento>(claim);
      // They come in any order; sorting by id sorts by time.
      rows.sort((one, other) => (one.id < other.id ? -1 : 1));
      const failures = await inDispatchSpans(rows, () => this.callSubscribers(rows));
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

  /** Calls every subscriber of the events and adds their jobs. Returns the events that failed. */
  private async callSubscribers(all: PendingEvento[]): Promise<Failure[]> {
    const failures: Failure[] = [];
    const jobs = new Map<string, EventoJob[]>();
    for (const tipo of new Set(all.map((evento) => evento.tipo))) {
      const eventos = all.filter((evento) => evento.tipo === tipo);
      for (const subscriber of this.subscribers.get(tipo) ?? [refuse]) {
        const handle = async (some: PendingEvento[]) => {
          for (const one of await subscriber(some))
            jobs.set(one.eventoId, [...(jobs.get(one.eventoId) ?? []), one]);
        };
        failures.push(...(await failuresOf(handle, eventos)));
      }
    }
    // Jobs are added last: the search for a failing event calls subscribers again, which must not add jobs again.
    const waiting = all.filter(({ id }) => jobs.has(id));
    failures.push(...(await failuresOf((some) => this.addJobs(some, jobs), waiting)));
    return failures;
  }

  /** Adds the jobs of some events, in the events' order; a job of several events once, with the trace of the last. */
  private async addJobs(eventos: PendingEvento[], jobsOf: ReadonlyMap<string, EventoJob[]>): Promise<void> {
    const queues = new Map<string, Map<string, NewJob>>();
    for (const { id, traza } of eventos)
      for (const { queue, job } of jobsOf.get(id)!) {
        const jobs = queues.get(queue) ?? new Map<string, NewJob>();
        queues.set(queue, jobs.set(job.id, { ...job, traceparent: traza }));
      }
    for (const [name, jobs] of queues) await this.queues.add(name, [...jobs.values()]);
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
 * Handles events together. If that fails because of some of them, handles ever smaller parts until those are found, and all
 * others are done. The parts of the batch run concurrently, the parts of each one after another, which leaves connections to
 * requests.
 * @throws if it fails for another reason.
 */
async function failuresOf(
  handle: (eventos: PendingEvento[]) => Promise<void>,
  eventos: PendingEvento[],
  isWhole = true,
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
    const search = (part: PendingEvento[]) => failuresOf(handle, part, false);
    if (isWhole) return await allOf(partsOf(eventos).map(search));
    const failures: Failure[] = [];
    for (const part of partsOf(eventos)) failures.push(...(await search(part)));
    return failures;
  }
}

function partsOf(eventos: PendingEvento[]): PendingEvento[][] {
  const size = Math.ceil(eventos.length / PARTS);
  return Array.from({ length: Math.ceil(eventos.length / size) }, (_, n) =>
    eventos.slice(n * size, (n + 1) * size),
  );
}

/** Waits for all of them, also if one fails: no statement of a batch runs after its end. */
async function allOf(searches: Promise<Failure[]>[]): Promise<Failure[]> {
  const ended = await Promise.allSettled(searches);
  return ended.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
