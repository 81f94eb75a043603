import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Owner } from '../../auth/owner.js';
import { Secrets } from '../../platform/config/secrets.js';
import { encodeCursor } from '../../platform/pagination/cursor.js';
import { Page, positionOf, type PageOf } from '../../platform/pagination/page.js';
import { Database } from '../../platform/database/database.js';
import { firstIdAt, HIGHEST_ID, isUuid, LOWEST_ID } from '../../platform/database/row-id.js';
import type { TextRow } from '../../platform/database/text-row.js';
import { AppError } from '../../platform/errors/app-error.js';
import { parseInstant } from '../../platform/validation/instant.js';
import { QueuesService } from '../../platform/queues/queues.service.js';
import { deliveriesBetween, resendDeliveries, theDelivery, type Selection } from './deliveries.queries.js';
import { endpointJob, WEBHOOKS_LENTOS } from './deliveries.queue.js';
import { DeliveryLimits } from './delivery-limits.js';
import { deliveriesOfGuia, deliveryDetail, insertTest, pageOfDeliveries } from './delivery-log.queries.js';
import {
  toEntrega,
  type EntregaDetalleDto,
  type EntregaDto,
  type EntregaRow,
  type IntentoDto,
  type ListarEntregasDto,
  type ReenviarDto,
} from './entrega.dto.js';
import type { WebhookEntrega } from './webhook-entrega.entity.js';
import type { WebhookMensaje } from './webhook-mensaje.entity.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { testBody } from './payload.js';

/** Deliveries that one request resends at most. */
const RESEND_BATCH = 1_000;

/** ms between looks at the state of a test. */
const TEST_POLL_MS = 50;

export interface DeliveryEntry
  extends
    TextRow<WebhookMensaje, 'id' | 'evento' | 'creado_en'>,
    Pick<WebhookEntrega, 'estado' | 'intentos' | 'causa'> {
  /** The endpoint's id. */
  webhook: string;
  /** Of the endpoint's URL; the rest of it may hold a secret. */
  host: string;
  secuencia: number;
  /** When it is tried again, ISO 8601; null unless a try failed and another follows. */
  proximo_intento_en: string | null;
}

interface DetailRow extends EntregaRow {
  cuerpo: string;
  historial: IntentoDto[];
}

@Injectable()
export class DeliveryLogService {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly queues: QueuesService,
    private readonly secrets: Secrets,
    private readonly limits: DeliveryLimits,
  ) {}

  /** Newest first. @throws AppError `no_encontrado`, `cursor_invalido` */
  async page(
    owner: Owner,
    webhookId: string,
    dto: ListarEntregasDto,
  ): Promise<PageOf<'entregas', EntregaDto>> {
    const { id } = await this.webhooks.find(owner, webhookId);
    const page = new Page(
      dto,
      { comercioId: owner.id, order: 'id', filters: ['entregas', id, dto.estado] },
      this.secrets.cursorKey,
    );
    const { rows } = await this.database.query<EntregaRow>(pageOfDeliveries(id, dto.estado, page));
    return page.of('entregas', rows, (last) => last, toEntrega);
  }

  /** @throws AppError `no_encontrado` */
  async detail(owner: Owner, webhookId: string, entregaId: string): Promise<EntregaDetalleDto> {
    const { id } = await this.webhooks.find(owner, webhookId);
    const row = await this.find(id, entregaId);
    return { ...toEntrega(row), historial: row.historial, cuerpo: JSON.parse(row.cuerpo) as object };
  }

  /**
   * Resends one delivery, or a page of those of a time range.
   * @throws AppError `no_encontrado`, `cursor_invalido`; `webhook_desactivado`.
   */
  async resend(
    owner: Owner,
    webhookId: string,
    dto: ReenviarDto,
  ): Promise<{ reenviadas: number; siguiente_cursor: string | null }> {
    const { id, activo } = await this.webhooks.find(owner, webhookId);
    if (!activo) throw new AppError('webhook_desactivado');
    if (dto.entrega === undefined) return this.resendRange(owner, id, dto);
    await this.find(id, dto.entrega);
    const { length } = await this.sendAgain(id, theDelivery(dto.entrega));
    return { reenviadas: length, siguiente_cursor: null };
  }

  private async resendRange(owner: Owner, id: string, dto: ReenviarDto) {
    const from = parseInstant(dto.desde!, 'from')!;
    const until = dto.hasta === undefined ? undefined : parseInstant(dto.hasta, 'until')!;
    const scope = {
      comercioId: owner.id,
      order: 'id' as const,
      filters: ['reenviar', id, from, until, dto.estado],
    };
    const after = positionOf(dto, scope, this.secrets.cursorKey);
    const ids = await this.sendAgain(
      id,
      deliveriesBetween({
        after: after?.id ?? (from <= 0 ? LOWEST_ID : firstIdAt(from)),
        before: until === undefined ? HIGHEST_ID : firstIdAt(until + 1),
        estados: dto.estado === undefined ? ['entregada', 'fallida'] : [dto.estado],
        limit: RESEND_BATCH,
      }),
    );
    const last = ids.sort().at(-1);
    const siguiente_cursor =
      ids.length === RESEND_BATCH ? encodeCursor({ id: last! }, scope, this.secrets.cursorKey) : null;
    return { reenviadas: ids.length, siguiente_cursor };
  }

  /** @returns the ids of the chosen deliveries. */
  private async sendAgain(webhookId: string, chosen: Selection): Promise<string[]> {
    const { rows } = await this.database.query<{ mensaje_id: string }>(resendDeliveries(webhookId, chosen));
    if (rows.length > 0) await this.wake(webhookId);
    return rows.map(({ mensaje_id }) => mensaje_id);
  }

  /** Has an endpoint's due deliveries made, before all others: somebody waits for them. */
  private wake(webhookId: string): Promise<void> {
    return this.queues.addOrLeave(WEBHOOKS_LENTOS, [{ ...endpointJob(webhookId), isUrgent: true }]);
  }

  /**
   * Sends a test message, unless one is in flight, and waits for its outcome for up to `testWaitMs`.
   * @throws AppError `no_encontrado`
   */
  async test(owner: Owner, webhookId: string): Promise<EntregaDto> {
    const { id, prueba_id: last } = await this.webhooks.find(owner, webhookId);
    // Includes the timeout of adding the job.
    const until = performance.now() + this.limits.testWaitMs;
    const message = { id: v7(), body: testBody(id, new Date()) };
    const { rowCount } = await this.database.query(insertTest(id, last, message));
    if (rowCount === 1) await this.wake(id);
    const testId = rowCount === 1 ? message.id : (await this.webhooks.find(owner, id)).prueba_id!;
    for (;;) {
      const row = await this.find(id, testId);
      if (row.estado !== 'pendiente' || performance.now() > until) return toEntrega(row);
      await sleep(TEST_POLL_MS);
    }
  }

  async ofGuia(guia: string): Promise<DeliveryEntry[]> {
    const { rows } = await this.database.query<Omit<DeliveryEntry, 'host'> & { url: string }>(
      deliveriesOfGuia(guia),
    );
    return rows.map(({ id, webhook, url, ...entry }) => ({ id, webhook, host: new URL(url).host, ...entry }));
  }

  private async find(webhookId: string, entregaId: string): Promise<DetailRow> {
    const { rows } = isUuid(entregaId)
      ? await this.database.query<DetailRow>(deliveryDetail(webhookId, entregaId))
      : { rows: [] };
    if (!rows[0]) throw new AppError('no_encontrado', { detail: 'No existe una entrega con ese `id`.' });
    return rows[0];
  }
}
