import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { Config } from '../../config/env.js';
import { Secrets } from '../../config/secrets.js';
import { Database } from '../../database/database.js';
import { InjectLogger } from '../../logging/logging.module.js';
import { RetryLater } from '../../queues/job-errors.js';
import { QueuesService } from '../../queues/queues.service.js';
import {
  closeDelivery,
  loadDelivery,
  recordEndpointFailure,
  settleDelivery,
  type DeliveryRow,
} from './deliveries.queries.js';
import { DISABLED, failureOf, NOT_SENT } from './delivery-failure.js';
import { DeliveryLimits } from './delivery-limits.js';
import { MAX_ATTEMPTS, nextAttemptMs } from './delivery-schedule.js';
import { DeliveryClient, type DeliveryOutcome } from './delivery.client.js';
import { EndpointSlots, type Slot } from './endpoint-slots.js';
import { signingKeys } from '../endpoints/signing-keys.js';
import { PRUEBA } from '../endpoints/webhook-evento.js';
import type { DesactivadoPor } from '../endpoints/webhook.entity.js';
import { WEBHOOKS, type EntregaJob } from './deliveries.queue.js';

const OF_ANOTHER_JOB = 'Otra tarea se ocupa de esta entrega.';

/** Makes the attempts to deliver messages to merchants' endpoints. */
@Injectable()
export class DeliveriesService implements OnApplicationShutdown {
  private readonly slots = new EndpointSlots();
  private readonly client: DeliveryClient;
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly secrets: Secrets,
    { webhookAllowPrivate }: Config,
    private readonly limits: DeliveryLimits,
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
   * starts over with all its attempts.
   * @returns the outcome, shown on the board.
   * @throws RetryLater until the next attempt; UnrecoverableError when a person has to act.
   */
  async deliver(job: EntregaJob, jobId: string): Promise<string> {
    const slot = this.slots.acquire(job.webhookId, jobId);
    if (typeof slot === 'number')
      throw new RetryLater('Espera su turno: el endpoint tiene otras entregas en curso.', slot);
    try {
      return await this.attempt(job, slot);
    } finally {
      this.wakeUp(slot.release());
    }
  }

  private async attempt(job: EntregaJob, slot: Slot): Promise<string> {
    const { webhookId, mensajeId } = job;
    const { rows } = await this.database.query<DeliveryRow>(loadDelivery(webhookId, mensajeId));
    const row = rows[0];
    if (!row || row.estado === 'entregada') return 'No había nada que entregar.';
    if (row.ronda !== job.ronda) return OF_ANOTHER_JOB;
    if (row.eliminado) return this.close(job, 'El webhook fue eliminado.');
    // A test is sent to a disabled endpoint too: it tells whether it can be enabled again.
    if (!row.activo && row.evento !== PRUEBA) throw new UnrecoverableError(await this.close(job, NOT_SENT));
    const dueInMs = row.estado === 'pendiente' ? row.proximo_en.getTime() - Date.now() : 0;
    if (dueInMs > 0) throw new RetryLater('Todavía no es hora de intentarlo.', dueInMs);
    const outcome = await this.client.deliver({
      url: row.url,
      id: mensajeId,
      body: row.cuerpo,
      keys: signingKeys({ id: webhookId, ...row }, this.secrets.webhookKey),
      timeoutMs: this.limits.attemptMs,
    });
    // We closed the connection: not the endpoint's failure, and another process repeats the attempt.
    if (this.isStopping && !outcome.ok) throw new RetryLater('El servicio se detuvo.', 0);
    this.wakeUp(slot.release(outcome.ms));
    return this.settle(job, row, outcome);
  }

  /** Best effort: a job that is not woken up runs when its wait is over. */
  private wakeUp(jobIds: string[]): void {
    for (const jobId of jobIds) this.queues.promote(WEBHOOKS, jobId).catch(() => undefined);
  }

  private async settle(job: EntregaJob, row: DeliveryRow, outcome: DeliveryOutcome): Promise<string> {
    const intentos = row.estado === 'fallida' ? 1 : row.intentos + 1;
    const isTest = row.evento === PRUEBA;
    if (outcome.ok) {
      await this.database.query(settleDelivery(job, outcome, { estado: 'entregada', intentos, causa: null }));
      return 'Entregado.';
    }
    const disabled = isTest ? null : await this.recordFailure(job.webhookId, row.url, outcome);
    const inMs = isTest || disabled !== null ? undefined : nextAttemptMs(intentos, outcome.retryAfterMs);
    const causa = [failureOf(outcome), ...endOf({ isTest, disabled, inMs })].join(' ');
    const estado = inMs === undefined ? 'fallida' : 'pendiente';
    const { rowCount } = await this.database.query(
      settleDelivery(job, outcome, { estado, intentos, causa, inMs }),
    );
    if (rowCount === 0) return OF_ANOTHER_JOB;
    if (inMs !== undefined) throw new RetryLater(causa, inMs);
    // Whoever asked for a test is told at once; a failed job would wait on the board for nothing.
    if (isTest) return causa;
    throw new UnrecoverableError(causa);
  }

  /** @returns why the endpoint is disabled; null if it is not. */
  private async recordFailure(
    webhookId: string,
    url: string,
    { gone, status, error }: DeliveryOutcome,
  ): Promise<DesactivadoPor | null> {
    const { rows } = await this.database.query<{ desactivado_por: DesactivadoPor | null }>(
      recordEndpointFailure(webhookId, gone, url),
    );
    const disabled = rows[0]?.desactivado_por ?? null;
    this.logger.warn(
      { webhook: webhookId, status, error, ...(disabled && { disabled }) },
      'webhook not taken',
    );
    return disabled;
  }

  private async close({ webhookId, mensajeId }: EntregaJob, causa: string): Promise<string> {
    await this.database.query(closeDelivery(webhookId, mensajeId, causa));
    return causa;
  }
}

/** Why there is no further attempt. */
function endOf(end: {
  isTest: boolean;
  disabled: DesactivadoPor | null;
  inMs: number | undefined;
}): string[] {
  if (end.disabled !== null) return [DISABLED[end.disabled]];
  return end.isTest || end.inMs !== undefined ? [] : [`Se intentó ${MAX_ATTEMPTS} veces en tres días.`];
}
