import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { UnrecoverableError, type Job } from 'bullmq';
import type { Logger } from 'pino';
import { Config } from '../../config/env.js';
import { Secrets } from '../../config/secrets.js';
import { Coalescer } from '../../database/coalescer.js';
import { Database } from '../../database/database.js';
import { mayPassInParts } from '../../database/sqlstate.js';
import { InjectLogger } from '../../logging/logging.module.js';
import { JobCounters } from '../../queues/job-counters.js';
import { RetryLater } from '../../queues/job-errors.js';
import { QueuesService } from '../../queues/queues.service.js';
import { inAttemptSpan } from './attempt-span.js';
import {
  closeDelivery,
  loadDeliveries,
  recordEndpointFailure,
  reopenDelivery,
  settleDelivered,
  settleFailed,
  slowDelivery,
  type Delivered,
  type DeliveryRow,
} from './deliveries.queries.js';
import { CUT_SHORT, DISABLED, failureOf, NOT_SENT } from './delivery-failure.js';
import { DeliveryLimits } from './delivery-limits.js';
import { MAX_ATTEMPTS, nextAttemptMs } from './delivery-schedule.js';
import { DeliveryClient, type DeliveryOutcome } from './delivery.client.js';
import { AttemptSlots } from './attempt-slots.js';
import { signingKeys } from '../endpoints/signing-keys.js';
import { PRUEBA } from '../endpoints/webhook-evento.js';
import type { DesactivadoPor } from '../endpoints/webhook.entity.js';
import { deliveryJob, queueOf, WEBHOOKS, WEBHOOKS_LENTOS, type EntregaJob } from './deliveries.queue.js';

const BATCHES = { concurrency: 2, maxBatch: 64, isFaultOfOneCall: mayPassInParts };

/** Jobs that wait in memory occupy a quarter of a queue's workers at most. */
const LINES = { line: 8, lines: 50 };

const OF_ANOTHER_JOB = 'Otra tarea se ocupa de esta entrega.';

/** Makes the attempts to deliver messages to merchants' endpoints. */
@Injectable()
export class DeliveriesService implements OnApplicationShutdown {
  private readonly quickSlots = new AttemptSlots({ endpoint: 4, merchant: 8, turnMs: 50, ...LINES });
  private readonly slowSlots = new AttemptSlots({ endpoint: 2, merchant: 8, turnMs: 50, ...LINES });
  /** One for each queue: a quick delivery does not wait behind thousands of slow ones. */
  private readonly quickLoads = this.newLoads();
  private readonly slowLoads = this.newLoads();
  private readonly successes = new Coalescer((delivered: Delivered[]) => this.settleAll(delivered), BATCHES);
  private readonly client: DeliveryClient;
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly secrets: Secrets,
    { webhookAllowPrivate }: Config,
    private readonly limits: DeliveryLimits,
    private readonly counters: JobCounters,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.client = new DeliveryClient({ allowPrivate: webhookAllowPrivate });
  }

  onApplicationShutdown(): void {
    this.isStopping = true;
    this.client.close();
  }

  /**
   * Makes one attempt if the delivery is still pending and due; idempotent. A failed delivery whose job is retried
   * on the board starts over with all its attempts.
   * @returns the outcome, shown on the board.
   * @throws RetryLater until the next attempt; UnrecoverableError when a person has to act.
   */
  async deliver({ data, queueName, attemptsStarted }: Job<EntregaJob, string>): Promise<string> {
    const loads = queueName === WEBHOOKS ? this.quickLoads : this.slowLoads;
    const row = await loads.call(data);
    if (!row || row.estado === 'entregada') {
      this.counters.delivery('unneeded');
      return 'No había nada que entregar.';
    }
    if (row.ronda !== data.ronda) return OF_ANOTHER_JOB;
    if (row.eliminado) return this.close(data, 'El webhook fue eliminado.');
    // A retry on the board resets `attemptsStarted`. Otherwise a worker was killed after it had settled the delivery.
    if (row.estado === 'fallida' && attemptsStarted > 1) return failed(row, row.causa!);
    // A test is sent to a disabled endpoint too: merchants test before they enable it.
    if (!row.activo && row.evento !== PRUEBA) throw new UnrecoverableError(await this.close(data, NOT_SENT));
    if (row.estado === 'fallida') {
      await this.database.query(reopenDelivery(data));
      throw new RetryLater('Vuelve a empezar.', 0);
    }
    if (queueName === WEBHOOKS && (row.lenta || row.lento)) return this.continueSlowly(data, row);
    if (queueName !== queueOf(row)) return OF_ANOTHER_JOB;
    if (row.falta_ms > 0) throw new RetryLater('Todavía no es hora de intentarlo.', row.falta_ms);
    const outcome = await this.attempt(data, row);
    // Our shutdown closed the connection: no failure of the endpoint. Another process repeats the attempt.
    if (this.isStopping && !outcome.ok) throw new RetryLater('El servicio se detuvo.', 0);
    return outcome.ok ? this.succeed(data, row, outcome) : this.fail(data, row, outcome);
  }

  /** Loads deliveries whose jobs begin at the same time in one statement. */
  private newLoads(): Coalescer<EntregaJob, DeliveryRow | undefined> {
    const load = async (jobs: EntregaJob[]) => {
      const { rows } = await this.database.query<DeliveryRow>(loadDeliveries(jobs));
      const deliveries = new Map(rows.map((row) => [`${row.webhook_id} ${row.mensaje_id}`, row]));
      return jobs.map(({ webhookId, mensajeId }) => deliveries.get(`${webhookId} ${mensajeId}`));
    };
    return new Coalescer(load, BATCHES);
  }

  /** Records concurrent successful attempts in one statement. */
  private async settleAll(delivered: Delivered[]): Promise<void[]> {
    await this.database.query(settleDelivered(delivered));
    return delivered.map(() => undefined);
  }

  private async attempt(job: EntregaJob, row: DeliveryRow): Promise<DeliveryOutcome> {
    const slots = row.lenta ? this.slowSlots : this.quickSlots;
    const owner = { endpoint: job.webhookId, merchant: row.comercio_id };
    const waitMs = await slots.takeSoon(owner);
    if (waitMs > 0) throw new RetryLater('Espera su turno: hay otras entregas en curso.', waitMs);
    let tookMs: number | undefined;
    try {
      const outcome = await inAttemptSpan(job, row, () =>
        this.client.deliver({
          url: row.url,
          id: job.mensajeId,
          body: row.cuerpo,
          keys: signingKeys({ id: job.webhookId, ...row }, this.secrets.webhookKey),
          timeoutMs: row.lenta ? this.limits.attemptMs : this.limits.quickAttemptMs,
        }),
      );
      if (outcome.ok) tookMs = outcome.ms;
      return outcome;
    } finally {
      slots.release(owner, tookMs);
    }
  }

  private async succeed(job: EntregaJob, row: DeliveryRow, outcome: DeliveryOutcome): Promise<string> {
    const { webhookId, mensajeId } = job;
    const lento = outcome.ms > this.limits.quickAttemptMs;
    const { intentos, url } = row;
    await this.successes.call({ webhookId, mensajeId, intentos: intentos + 1, lento, url, outcome });
    this.counters.delivery('delivered');
    return 'Entregado.';
  }

  private async fail(job: EntregaJob, row: DeliveryRow, outcome: DeliveryOutcome): Promise<string> {
    const { inMs, ...next } = await this.afterFailure(job, row, outcome);
    const estado = inMs === undefined ? 'fallida' : 'pendiente';
    const { rowCount } = await this.database.query(settleFailed(job, outcome, { ...next, estado, inMs }));
    if (rowCount === 0) return OF_ANOTHER_JOB;
    this.counters.delivery(inMs === undefined ? 'failed' : 'retried');
    if (inMs === undefined) return failed(row, next.causa);
    if (!row.lenta) return this.continueSlowly(job, row);
    throw new RetryLater(next.causa, inMs);
  }

  /** What to record after a failure; without `inMs` there is no further attempt. */
  private async afterFailure(
    { webhookId }: EntregaJob,
    row: DeliveryRow,
    outcome: DeliveryOutcome,
  ): Promise<{ intentos: number; causa: string; inMs?: number; lento?: boolean }> {
    // Retries with the full timeout; only that attempt counts.
    if (!row.lenta && outcome.code === 'ETIMEDOUT')
      return { intentos: row.intentos, causa: CUT_SHORT, inMs: 0, lento: true };
    const intentos = row.intentos + 1;
    const causa = failureOf(outcome);
    if (row.evento === PRUEBA) return { intentos, causa };
    const disabled = await this.recordFailure(webhookId, row.url, outcome);
    if (disabled !== null) return { intentos, causa: `${causa} ${DISABLED[disabled]}` };
    const inMs = nextAttemptMs(intentos, outcome.retryAfterMs);
    if (inMs !== undefined) return { intentos, causa, inMs };
    return { intentos, causa: `${causa} Se intentó ${MAX_ATTEMPTS} veces en tres días.` };
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

  /** Moves a delivery to the other queue. */
  private async continueSlowly(job: EntregaJob, { guia }: DeliveryRow): Promise<string> {
    await this.database.query(slowDelivery(job));
    const { webhookId: webhook_id, mensajeId: mensaje_id, ronda } = job;
    await this.queues.addOrLeave(WEBHOOKS_LENTOS, [deliveryJob({ webhook_id, mensaje_id, ronda, guia })]);
    return 'Sigue en la cola webhooks-lentos.';
  }

  private async close(job: EntregaJob, causa: string): Promise<string> {
    await this.database.query(closeDelivery(job, causa));
    return causa;
  }
}

/** Ends a job whose delivery failed for good. A test does not fail its job: its outcome is in the answer to the merchant. */
function failed({ evento }: DeliveryRow, causa: string): string {
  if (evento === PRUEBA) return causa;
  throw new UnrecoverableError(causa);
}
