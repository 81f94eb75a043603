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
import { EndpointTurn } from './endpoint-turn.js';
import { OwnerSlots } from './owner-slots.js';
import { signingKeys } from '../endpoints/signing-keys.js';
import { PRUEBA } from '../endpoints/webhook-evento.js';
import type { DesactivadoPor } from '../endpoints/webhook.entity.js';
import { endpointJob, queueOf, WEBHOOK_QUEUES, WEBHOOKS, WEBHOOKS_LENTOS } from './deliveries.queue.js';

/** Concurrent attempts to all endpoints of one owner, in each queue of a process. */
const MERCHANT_SLOTS = 8;
const OPERATOR_SLOTS = 64;

/** ms after which the endpoint of loaded deliveries is read again: it may have a new URL, or be disabled. */
const FRESH_MS = 1_000;

/** ms between two sweeps. */
const SWEEP_MS = 10_000;

const BATCHES = { concurrency: 2, maxBatch: 256, isFaultOfOneCall: mayPassInParts };

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
    const turn = new EndpointTurn(webhookId, queue, isStopping);
    try {
      await this.takeTurn(turn);
    } finally {
      // Also if the database went away: the next job must not repeat what is under way.
      await turn.attempts.end();
    }
    if (turn.hasFailed && !turn.isSlow) await this.wakeSlow(webhookId);
  }

  private async takeTurn(turn: EndpointTurn): Promise<void> {
    for (;;) {
      const { endpoint, idle, due, isFull } = await this.load(turn);
      if (!endpoint) return;
      if (endpoint.de_operador) turn.widen();
      if (endpoint.lento && !turn.isSlow) return this.leaveToSlow(turn);
      if (idle) {
        // And looks again: one that is due earlier may have been announced before.
        if (await this.wakeForNext(turn, idle)) continue;
        return;
      }
      await this.begin(turn, await this.withoutClosed(turn.webhookId, due));
      await turn.rest(due.length, isFull);
      if (turn.isOver()) return this.wake(turn.queue, turn.webhookId);
    }
  }

  /** Loads an endpoint, and its deliveries that are due and of which no attempt is under way. */
  private async load({ webhookId, isSlow, batch, attempts }: EndpointTurn) {
    // Before they are loaded: an attempt that is recorded meanwhile is not made again.
    const busy = new Set(attempts.ids);
    const { rows } = await this.database.query<DueRow | IdleRow>(
      dueDeliveries(webhookId, isSlow, batch + busy.size),
    );
    const due = rows.filter((row): row is DueRow => row.mensaje_id !== null && !busy.has(row.mensaje_id));
    const [endpoint] = rows;
    const idle = endpoint?.mensaje_id === null && busy.size === 0 ? endpoint : undefined;
    return { endpoint, idle, due, isFull: due.length >= batch };
  }

  /** Adds the job for the next delivery that is due later. @returns whether there is one, without a job so far. */
  private async wakeForNext(turn: EndpointTurn, { proximo_ms, falta_ms }: IdleRow): Promise<boolean> {
    if (proximo_ms === null || proximo_ms >= turn.announced) return false;
    await this.wake(turn.queue, turn.webhookId, falta_ms!);
    turn.announced = proximo_ms;
    return true;
  }

  /** Begins attempts side by side, in the order of the deliveries, as long as they may. */
  private async begin(turn: EndpointTurn, due: DueRow[]): Promise<void> {
    const { attempts } = turn;
    const staleAt = performance.now() + FRESH_MS;
    for (const row of due) {
      const slots = (row.de_operador ? this.operatorSlots : this.slots)[turn.queue]!;
      await attempts.room();
      if (turn.isHeld() || turn.isOver() || performance.now() > staleAt) return;
      const attempt = async () => !turn.isHeld() && this.attempt(turn, row);
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
  private async attempt(turn: EndpointTurn, row: DueRow): Promise<DeliveryOutcome | undefined> {
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
    if (!outcome.ok) turn.noteFailure(outcome, this.limits.quickAttemptMs);
    return outcome;
  }

  private async settle(turn: EndpointTurn, row: DueRow, outcome: DeliveryOutcome): Promise<void> {
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

  private async afterFailure(turn: EndpointTurn, row: DueRow, outcome: DeliveryOutcome): Promise<Next> {
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
  private async leaveToSlow(turn: EndpointTurn): Promise<void> {
    turn.hasFailed = true;
    await turn.attempts.end();
    while ((await this.database.query(slowDown(turn.webhookId))).rowCount === SLOWED);
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

/** The state of a delivery after an attempt. */
type Next = Pick<Settled, 'estado' | 'intentos' | 'causa' | 'en_ms' | 'lento'>;

const RESULTS = { entregada: 'delivered', pendiente: 'retried', fallida: 'failed' } as const;

/** Why no attempt of a delivery is made; undefined if one is. A test is sent to a disabled endpoint too, before it is enabled. */
function closing({ mensaje_id, evento, cuerpo, activo, eliminado }: DueRow) {
  if (eliminado) return { mensaje_id, causa: 'El webhook fue eliminado.' };
  if (cuerpo === null) return { mensaje_id, causa: 'El aviso ya no se conserva.' };
  return activo || evento === PRUEBA ? undefined : { mensaje_id, causa: NOT_SENT };
}
