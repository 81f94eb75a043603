import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../../platform/config/env.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Coalescer } from '../../platform/database/coalescer.js';
import { Database } from '../../platform/database/database.js';
import { mayPassInParts } from '../../platform/database/sqlstate.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { JobCounters } from '../../platform/queues/job-counters.js';
import { QueuesService } from '../../platform/queues/queues.service.js';
import { isOutage } from '../../platform/queues/store-away.js';
import { SweepsService } from '../../platform/queues/sweeps.service.js';
import { inAttemptSpan } from './attempt-span.js';
import { Attempts } from './attempts.js';
import {
  closeDeliveries,
  dueDeliveries,
  endClosedEndpoints,
  nextDelivery,
  overdueEndpoints,
  recordEndpointFailure,
  settleAttempts,
  slowDown,
  SLOWED,
  type DueRow,
  type IdleRow,
  type Settled,
} from './deliveries.queries.js';
import { CUT_SHORT, DISABLED, failureOf, NOT_RECORDED, NOT_SENT } from './delivery-failure.js';
import { DeliveryLimits } from './delivery-limits.js';
import { MAX_ATTEMPTS, nextAttemptMs } from './delivery-schedule.js';
import { DeliveryClient, type DeliveryOutcome } from './delivery.client.js';
import { OwnerSlots } from './owner-slots.js';
import { signingKeys } from '../endpoints/signing-keys.js';
import { PRUEBA } from '../endpoints/webhook-evento.js';
import type { DesactivadoPor } from '../endpoints/webhook.entity.js';
import { endpointJob, queueOf, WEBHOOK_QUEUES, WEBHOOKS, WEBHOOKS_LENTOS } from './deliveries.queue.js';

/** Concurrent attempts to one endpoint, and its deliveries that are loaded at a time. */
interface Lane {
  concurrency: number;
  batch: number;
}

const QUICK: Lane = { concurrency: 4, batch: 64 };
const SLOW: Lane = { concurrency: 2, batch: 8 };

/** The same of an operator's endpoint, which gets the events of all merchants. */
const OPERATOR_QUICK: Lane = { concurrency: 32, batch: 256 };
const OPERATOR_SLOW: Lane = { concurrency: 16, batch: 64 };

/** Concurrent attempts to all endpoints of one owner, in each queue of a process. */
const MERCHANT_SLOTS = 8;
const OPERATOR_SLOTS = 64;

/** ms after which an endpoint's job goes back to its queue, behind those of other endpoints. */
const TURN_MS = 10_000;

/** ms after which the endpoint of loaded deliveries is read again: it may have a new URL, or be disabled. */
const FRESH_MS = 1_000;

/** ms between two sweeps. */
const SWEEP_MS = 10_000;

const BATCHES = { concurrency: 2, maxBatch: 256, isFaultOfOneCall: mayPassInParts };

/** ms after which a job looks for more to do while its attempts wait for responses: at first, and later. */
const FIRST_LOOK_MS = 200;
const LAST_LOOK_MS = 2_000;

/** One run of an endpoint's job. */
interface Turn {
  readonly webhookId: string;
  readonly queue: string;
  readonly isSlow: boolean;
  batch: number;
  readonly attempts: Attempts;
  /** As a `performance.now()` timestamp. */
  endsAt: number;
  /** The endpoint is gone, or a quick one failed: it is loaded again before the next attempt. */
  isCut: boolean;
  hasFailed: boolean;
  isStopping(): boolean;
}

const isOver = (turn: Turn) => turn.isStopping() || performance.now() > turn.endsAt;

/** Makes the attempts to deliver messages to the endpoints of merchants and operators. */
@Injectable()
export class DeliveriesService implements OnModuleInit, OnApplicationShutdown {
  private readonly slots = slotsOf(MERCHANT_SLOTS);
  private readonly operatorSlots = slotsOf(OPERATOR_SLOTS);
  /** Records attempts that end at the same time, at any endpoint, in one statement. */
  private readonly settles = new Coalescer((settled: Settled[]) => this.settleAll(settled), BATCHES);
  private readonly client: DeliveryClient;
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly secrets: Secrets,
    { webhookAllowPrivate }: Config,
    private readonly limits: DeliveryLimits,
    private readonly counters: JobCounters,
    private readonly sweeps: SweepsService,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.client = new DeliveryClient({ allowPrivate: webhookAllowPrivate });
  }

  onModuleInit(): void {
    this.sweeps.every('overdue deliveries', SWEEP_MS, () => this.wakeOverdue());
    this.sweeps.every('endpoints of closed merchants', SWEEP_MS, () => this.endClosed());
  }

  onApplicationShutdown(): void {
    this.isStopping = true;
    this.client.close();
  }

  /** Adds the job of an endpoint, due in so many ms. */
  async wake(queue: string, webhookId: string, inMs = 0): Promise<void> {
    // Rounded up: with a fraction, the PostgreSQL backend does not delay the job.
    await this.queues.add(queue, [endpointJob(webhookId, Math.max(0, Math.ceil(inMs)))]);
  }

  /** Disables the endpoints of closed merchants, once nothing is left to be sent to them. */
  async endClosed(): Promise<void> {
    await this.database.query(endClosedEndpoints());
  }

  /** Adds the jobs of endpoints that have been due for a while, and may have lost theirs: Redis was wiped, or a worker died. */
  async wakeOverdue(): Promise<void> {
    const { rows } = await this.database.query<{ webhook_id: string; lenta: boolean }>(overdueEndpoints());
    for (const queue of WEBHOOK_QUEUES) {
      const overdue = rows.filter((row) => queueOf(row) === queue);
      const jobs = await this.queues.add(
        queue,
        overdue.map(({ webhook_id }) => endpointJob(webhook_id)),
      );
      if (jobs === 0) continue;
      this.counters.restore(queue, jobs);
      this.logger.warn({ queue, jobs }, 'endpoints without a job were re-enqueued');
    }
  }

  /**
   * Makes the attempts of an endpoint that are due in a queue, until none is or its turn is over; then adds its next job.
   * Only one job of an endpoint runs in a queue. If its worker dies, attempts that were not recorded are repeated.
   * @param isStopping whether the worker begins no more attempts.
   */
  async deliverDue(webhookId: string, queue: string, isStopping: () => boolean): Promise<void> {
    const isSlow = queue === WEBHOOKS_LENTOS;
    const lane = isSlow ? SLOW : QUICK;
    const attempts = new Attempts(lane.concurrency);
    const endsAt = performance.now() + TURN_MS;
    const turn: Turn = {
      batch: lane.batch,
      webhookId,
      queue,
      isSlow,
      attempts,
      endsAt,
      isCut: false,
      hasFailed: false,
      isStopping,
    };
    try {
      await this.takeTurn(turn);
    } finally {
      // Also if the database went away: the next job must not repeat what is under way.
      await attempts.end();
    }
    if (turn.hasFailed && !isSlow) await this.wakeSlow(webhookId);
  }

  private async takeTurn(turn: Turn): Promise<void> {
    const { webhookId, queue, isSlow, attempts } = turn;
    let announced = Infinity;
    let lookMs = FIRST_LOOK_MS;
    for (;;) {
      // Before they are loaded: an attempt that is recorded meanwhile is not made again.
      const busy = new Set(attempts.ids);
      const { rows } = await this.database.query<DueRow | IdleRow>(
        dueDeliveries(webhookId, isSlow, turn.batch + busy.size),
      );
      const endpoint = rows[0];
      if (!endpoint) return;
      const { batch } = turn;
      if (endpoint.de_operador) widen(turn);
      if (endpoint.lento && !isSlow) {
        turn.hasFailed = true;
        await attempts.end();
        return this.slowDown(webhookId);
      }
      if (endpoint.mensaje_id === null && busy.size === 0) {
        const { proximo_ms, falta_ms } = endpoint;
        if (proximo_ms === null || proximo_ms >= announced) return;
        // And looks again: one that is due earlier may have been announced before.
        await this.wake(queue, webhookId, falta_ms!);
        announced = proximo_ms;
        continue;
      }
      const due = (rows as DueRow[]).filter((row) => row.mensaje_id !== null && !busy.has(row.mensaje_id));
      await this.begin(turn, await this.withoutClosed(webhookId, due));
      if (isOver(turn) || turn.isCut) await attempts.end();
      // An attempt that takes long does not hold up what becomes due meanwhile.
      else if (due.length < batch) {
        lookMs = due.length > 0 ? FIRST_LOOK_MS : Math.min(2 * lookMs, LAST_LOOK_MS);
        await attempts.end(lookMs);
      }
      if (attempts.errors.length > 0) throw attempts.errors[0];
      if (isOver(turn)) return this.wake(queue, webhookId);
      if (turn.isCut) await attempts.end();
      turn.isCut = false;
    }
  }

  /** Begins attempts side by side, in the order of the deliveries, as long as they may. */
  private async begin(turn: Turn, due: DueRow[]): Promise<void> {
    const { attempts } = turn;
    const staleAt = performance.now() + FRESH_MS;
    const isHeld = () => turn.isCut || turn.isStopping() || attempts.errors.length > 0;
    for (const row of due) {
      const slots = (row.de_operador ? this.operatorSlots : this.slots)[turn.queue]!;
      await attempts.room();
      if (isHeld() || isOver(turn) || performance.now() > staleAt) return;
      const attempt = async () => !isHeld() && this.attempt(turn, row);
      attempts.begin(
        row.mensaje_id,
        () => slots.run(row.titular, attempt),
        async (outcome) => {
          if (outcome) await this.settle(turn, row, outcome);
        },
      );
    }
  }

  /** Fails deliveries of which no attempt is made; returns the others. */
  private async withoutClosed(webhookId: string, due: DueRow[]): Promise<DueRow[]> {
    const closed = due.flatMap((row) => closing(row) ?? []);
    if (closed.length > 0) await this.database.query(closeDeliveries(webhookId, closed));
    return due.filter((row) => !closing(row));
  }

  /** @returns undefined if our shutdown cut it short. */
  private async attempt(turn: Turn, row: DueRow): Promise<DeliveryOutcome | undefined> {
    const { webhookId, isSlow } = turn;
    const outcome = await inAttemptSpan(webhookId, row, () =>
      this.client.deliver({
        url: row.url,
        id: row.mensaje_id,
        body: row.cuerpo!,
        keys: signingKeys({ ...row, id: webhookId }, this.secrets.webhookKey),
        timeoutMs: isSlow ? this.limits.attemptMs : this.limits.quickAttemptMs,
      }),
    );
    // No failure of the endpoint. Another process repeats the attempt.
    if (this.isStopping && !outcome.ok) return undefined;
    if (!outcome.ok) turn.hasFailed = true;
    // An endpoint that hangs makes room for others after each attempt, not only at the end of its time.
    if (!outcome.ok && outcome.ms > this.limits.quickAttemptMs) turn.endsAt = -Infinity;
    turn.isCut ||= outcome.gone || (!isSlow && !outcome.ok);
    return outcome;
  }

  private async settle(turn: Turn, row: DueRow, outcome: DeliveryOutcome): Promise<void> {
    const { mensaje_id, ronda, url, intentos } = row;
    const next: Next = outcome.ok
      ? { estado: 'entregada', intentos: intentos + 1, lento: outcome.ms > this.limits.quickAttemptMs }
      : await this.afterFailure(turn, row, outcome);
    try {
      await this.settles.call({ webhook_id: turn.webhookId, mensaje_id, ronda, url, outcome, ...next });
    } catch (error) {
      // Else it would be sent again and again.
      if (!isOutage(error))
        await this.database.query(closeDeliveries(turn.webhookId, [{ mensaje_id, causa: NOT_RECORDED }]));
      throw error;
    }
    this.counters.delivery(RESULTS[next.estado]);
  }

  /** What to record after a failure. */
  private async afterFailure(turn: Turn, row: DueRow, outcome: DeliveryOutcome): Promise<Next> {
    // Retried with the full timeout; only that attempt counts.
    if (!turn.isSlow && outcome.code === 'ETIMEDOUT')
      return { estado: 'pendiente', intentos: row.intentos, causa: CUT_SHORT, lento: true };
    const intentos = row.intentos + 1;
    const causa = failureOf(outcome);
    if (row.evento === PRUEBA) return { estado: 'fallida', intentos, causa };
    const disabled = await this.recordFailure(turn.webhookId, row.url, outcome);
    if (disabled !== null) return { estado: 'fallida', intentos, causa: `${causa} ${DISABLED[disabled]}` };
    const en_ms = nextAttemptMs(intentos, outcome.retryAfterMs);
    if (en_ms !== undefined) return { estado: 'pendiente', intentos, causa, en_ms };
    return { estado: 'fallida', intentos, causa: `${causa} Se intentó ${MAX_ATTEMPTS} veces en tres días.` };
  }

  /** @returns why the endpoint is disabled; null if it is not. */
  private async recordFailure(
    webhookId: string,
    url: string,
    { gone, status, code }: DeliveryOutcome,
  ): Promise<DesactivadoPor | null> {
    const { rows } = await this.database.query<{ desactivado_por: DesactivadoPor | null }>(
      recordEndpointFailure(webhookId, gone, url),
    );
    const disabled = rows[0]?.desactivado_por ?? null;
    this.logger.warn(
      { webhook: webhookId, status, code, ...(disabled && { disabled }) },
      'webhook not taken',
    );
    return disabled;
  }

  private async settleAll(settled: Settled[]): Promise<void[]> {
    await this.database.query(settleAttempts(settled));
    return settled.map(() => undefined);
  }

  /** Leaves what an endpoint that is no longer quick has waiting to the queue of slow ones. */
  private async slowDown(webhookId: string): Promise<void> {
    while ((await this.database.query(slowDown(webhookId))).rowCount === SLOWED);
  }

  /** Adds the job of an endpoint in the queue of slow ones, due with its next delivery there. */
  private async wakeSlow(webhookId: string): Promise<void> {
    const { rows } = await this.database.query<{ falta_ms: number | null }>(nextDelivery(webhookId, true));
    const { falta_ms } = rows[0]!;
    if (falta_ms !== null) await this.wake(WEBHOOKS_LENTOS, webhookId, falta_ms);
  }
}

const slotsOf = (limit: number): Record<string, OwnerSlots> => ({
  [WEBHOOKS]: new OwnerSlots(limit),
  [WEBHOOKS_LENTOS]: new OwnerSlots(limit),
});

/** Gives the turn of an operator's endpoint the limits of operators. */
function widen(turn: Turn): void {
  const { batch, concurrency } = turn.isSlow ? OPERATOR_SLOW : OPERATOR_QUICK;
  turn.batch = batch;
  turn.attempts.limit = concurrency;
}

/** The state of a delivery after an attempt. */
type Next = Pick<Settled, 'estado' | 'intentos' | 'causa' | 'en_ms' | 'lento'>;

const RESULTS = { entregada: 'delivered', pendiente: 'retried', fallida: 'failed' } as const;

/** Why no attempt of a delivery is made; undefined if one is. A test is sent to a disabled endpoint too, before it is enabled. */
function closing({ mensaje_id, evento, cuerpo, activo, eliminado }: DueRow) {
  if (eliminado) return { mensaje_id, causa: 'El webhook fue eliminado.' };
  if (cuerpo === null) return { mensaje_id, causa: 'El aviso ya no se conserva.' };
  return activo || evento === PRUEBA ? undefined : { mensaje_id, causa: NOT_SENT };
}
