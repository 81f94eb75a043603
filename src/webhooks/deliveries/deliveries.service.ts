import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { Config } from '../../config/env.js';
import { Secrets } from '../../config/secrets.js';
import { Database } from '../../database/database.js';
import { InjectLogger } from '../../logging/logging.module.js';
import { RetryLater } from '../../queues/queue-definition.js';
import { QueuesService } from '../../queues/queues.service.js';
import {
  closeDelivery,
  endpointFails,
  loadDelivery,
  settleDelivery,
  type DeliveryRow,
} from './deliveries.queries.js';
import { DISABLED, failureOf, NOT_SENT } from './delivery-failure.js';
import { MAX_TRIES, nextTryMs } from './delivery-schedule.js';
import { DeliveryClient, type DeliveryOutcome } from './delivery.client.js';
import { EndpointLanes, type Lane } from './endpoint-slots.js';
import { PRUEBA } from '../endpoints/webhook-evento.js';
import { signingKeys } from '../endpoints/signing-keys.js';
import type { DesactivadoPor } from '../endpoints/webhook.entity.js';
import { WEBHOOKS, type EntregaJob } from './deliveries.queue.js';

const OF_ANOTHER_JOB = 'Otra tarea se ocupa de esta entrega.';

/** Delivers what happened to merchants' endpoints: each message until it is taken, or given up in sight of all. */
@Injectable()
export class DeliveriesService implements OnApplicationShutdown {
  private readonly lanes = new EndpointLanes();
  private readonly client: DeliveryClient;
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly secrets: Secrets,
    { webhookAllowPrivate }: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.client = new DeliveryClient({ allowPrivate: webhookAllowPrivate });
  }

  onApplicationShutdown(): void {
    this.isStopping = true;
    this.client.close();
  }

  /**
   * Tries a delivery if it is still to be made; may be called any number of times. A failed one that is called for
   * again has all its tries once more.
   * @returns what became of it, for the board.
   * @throws RetryLater, or UnrecoverableError where it waits for a person.
   */
  async deliver(job: EntregaJob, jobId: string): Promise<string> {
    const lane = this.lanes.enter(job.webhookId, jobId);
    if (typeof lane === 'number')
      throw new RetryLater('Espera su turno: el endpoint tiene otras entregas en curso.', lane);
    try {
      return await this.attempt(job, lane);
    } finally {
      this.callIn(lane.leave());
    }
  }

  private async attempt(job: EntregaJob, lane: Lane): Promise<string> {
    const { webhookId, mensajeId } = job;
    const { rows } = await this.database.query<DeliveryRow>(loadDelivery(webhookId, mensajeId));
    const row = rows[0];
    if (!row || row.estado === 'entregada') return 'No había nada que entregar.';
    if (row.ronda !== job.ronda) return OF_ANOTHER_JOB;
    if (row.eliminado) return this.close(job, 'El webhook fue eliminado.');
    // A test may be the question whether it can be activated again.
    if (!row.activo && row.evento !== PRUEBA) throw new UnrecoverableError(await this.close(job, NOT_SENT));
    const left = row.estado === 'pendiente' ? row.proximo_en.getTime() - Date.now() : 0;
    if (left > 0) throw new RetryLater('Todavía no es hora de intentarlo.', left);
    const keys = signingKeys({ id: webhookId, ...row }, this.secrets.webhookKey);
    const outcome = await this.client.deliver({ url: row.url, id: mensajeId, body: row.cuerpo, keys });
    // Cut off by us: that is nobody's failure, and another process finds it.
    if (this.isStopping && !outcome.ok) throw new RetryLater('El servicio se detuvo.', 0);
    this.callIn(lane.leave(outcome.ms));
    return this.settle(job, row, outcome);
  }

  /** Who is not called comes back later all the same. */
  private callIn(jobIds: string[]): void {
    for (const jobId of jobIds) this.queues.hasten(WEBHOOKS, jobId).catch(() => undefined);
  }

  private async settle(job: EntregaJob, row: DeliveryRow, outcome: DeliveryOutcome): Promise<string> {
    const intentos = row.estado === 'fallida' ? 1 : row.intentos + 1;
    const isTest = row.evento === PRUEBA;
    if (outcome.ok) {
      await this.database.query(settleDelivery(job, outcome, { estado: 'entregada', intentos, causa: null }));
      return 'Entregado.';
    }
    const disabled = isTest ? null : await this.fails(job.webhookId, row.url, outcome);
    const inMs = isTest || disabled !== null ? undefined : nextTryMs(intentos, outcome.retryAfterMs);
    const causa = [failureOf(outcome), ...endOf({ isTest, disabled, inMs })].join(' ');
    const estado = inMs === undefined ? 'fallida' : 'pendiente';
    const { rowCount } = await this.database.query(
      settleDelivery(job, outcome, { estado, intentos, causa, inMs }),
    );
    if (rowCount === 0) return OF_ANOTHER_JOB;
    if (inMs !== undefined) throw new RetryLater(causa, inMs);
    // Who asked for the test is told at once, and nobody else need look at it.
    if (isTest) return causa;
    throw new UnrecoverableError(causa);
  }

  /** Why the endpoint is not to be tried any more; null where it is. */
  private async fails(
    webhookId: string,
    url: string,
    { gone, status, error }: DeliveryOutcome,
  ): Promise<DesactivadoPor | null> {
    const { rows } = await this.database.query<{ desactivado_por: DesactivadoPor | null }>(
      endpointFails(webhookId, gone, url),
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

/** Why there is no next try. */
function endOf(end: {
  isTest: boolean;
  disabled: DesactivadoPor | null;
  inMs: number | undefined;
}): string[] {
  if (end.disabled !== null) return [DISABLED[end.disabled]];
  return end.isTest || end.inMs !== undefined ? [] : [`Se intentó ${MAX_TRIES} veces en tres días.`];
}
