import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Merchant } from '../../auth/decorators.js';
import { Secrets } from '../../config/secrets.js';
import { encodeCursor } from '../../pagination/cursor.js';
import { Page, positionOf } from '../../pagination/page.js';
import { Database } from '../../database/database.js';
import { firstIdAt, HIGHEST_ID, isUuid, LOWEST_ID } from '../../database/row-id.js';
import { textTypes } from '../../database/text-types.js';
import { AppError } from '../../errors/app-error.js';
import { QueuesService } from '../../queues/queues.service.js';
import { parseInstant } from '../../validation/instant.js';
import { resendDeliveries, resendDelivery } from './deliveries.queries.js';
import {
  toEntrega,
  type EntregaDetalleDto,
  type EntregaDto,
  type EntregaRow,
  type IntentoDto,
  type ListarEntregasDto,
  type ReenviarDto,
} from './entrega.dto.js';
import type { EntregaEstado } from './webhook-entrega.entity.js';
import { PRUEBA } from '../endpoints/webhook-evento.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { deliveryJob, WEBHOOKS, type EntregaEncolable } from './deliveries.queue.js';

/** Deliveries of a range that are started anew by one request. */
const RESEND_BATCH = 1_000;

/** Milliseconds that a test is waited for: the answer must leave within 5 s. */
const TEST_WAIT_MS = 3_500;
const TEST_LOOK_MS = 50;

const INTENTO = `json_build_object('en', to_char(i.en at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'ms', i.ms,
  'estado_http', i.estado_http, 'error', i.error, 'respuesta', i.respuesta)`;

const LISTED = `select m.id, m.evento, m.guia, m.secuencia, e.estado, e.intentos, e.causa, m.creado_en, e.proximo_en,
    (select ${INTENTO} from webhook_intentos i
      where i.webhook_id = e.webhook_id and i.mensaje_id = e.mensaje_id order by i.id desc limit 1) as ultimo`;

const FROM = 'from webhook_entregas e join webhook_mensajes m on m.id = e.mensaje_id where e.webhook_id = $1';

const PAGE = `${LISTED} ${FROM} and e.mensaje_id < $2 order by e.mensaje_id desc limit $3`;
const PAGE_OF_STATE = `${LISTED} ${FROM} and e.mensaje_id < $2 and e.estado = $4 order by e.mensaje_id desc limit $3`;

const ONE = `${LISTED}, m.cuerpo, array(select ${INTENTO} from webhook_intentos i
    where i.webhook_id = e.webhook_id and i.mensaje_id = e.mensaje_id order by i.id) as historial
  ${FROM} and e.mensaje_id = $2`;

const TEST = `with mensaje as (
  insert into webhook_mensajes (id, comercio_id, evento, cuerpo, creado_en) values ($2, $3, '${PRUEBA}', $4, now())
)
insert into webhook_entregas (webhook_id, mensaje_id, estado, creado_en, actualizado_en, proximo_en)
values ($1, $2, 'pendiente', now(), now(), now())`;

/** A delivery as support sees it. */
export interface DeliveryEntry {
  /** `webhook-id`. */
  id: string;
  /** The endpoint's id, and its host: the rest of the URL may hold a secret. */
  webhook: string;
  host: string;
  evento: string;
  secuencia: number;
  estado: EntregaEstado;
  intentos: number;
  causa: string | null;
  /** ISO 8601. */
  creado_en: string;
}

const OF_GUIA = `select m.id, e.webhook_id as webhook, w.url, m.evento, m.secuencia, e.estado, e.intentos, e.causa, m.creado_en
  from webhook_mensajes m
  join webhook_entregas e on e.mensaje_id = m.id
  join webhooks w on w.id = e.webhook_id
  where m.guia = $1 order by m.secuencia, m.id, e.webhook_id`;

interface DetailRow extends EntregaRow {
  cuerpo: string;
  historial: IntentoDto[];
}

/** What became of deliveries, for the merchant; and sending them again. */
@Injectable()
export class DeliveryLogService {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly queues: QueuesService,
    private readonly secrets: Secrets,
  ) {}

  /** Newest first. @throws AppError `no_encontrado`, `cursor_invalido` */
  async page(
    merchant: Merchant,
    webhookId: string,
    dto: ListarEntregasDto,
  ): Promise<{ entregas: EntregaDto[]; siguiente_cursor: string | null }> {
    const { id } = await this.webhooks.find(merchant, webhookId);
    const page = new Page(
      dto,
      { comercioId: merchant.id, order: 'id', filters: ['entregas', id, dto.estado] },
      this.secrets.cursorKey,
    );
    const values = [id, page.after?.id ?? HIGHEST_ID, page.rows];
    const { rows } = await this.database.query<EntregaRow>(
      dto.estado === undefined
        ? { text: PAGE, values, types: textTypes }
        : { text: PAGE_OF_STATE, values: [...values, dto.estado], types: textTypes },
    );
    const siguiente_cursor = page.end(rows, (last) => last);
    return { entregas: rows.map(toEntrega), siguiente_cursor };
  }

  /** @throws AppError `no_encontrado` */
  async detail(merchant: Merchant, webhookId: string, entregaId: string): Promise<EntregaDetalleDto> {
    const { id } = await this.webhooks.find(merchant, webhookId);
    const row = await this.find(id, entregaId);
    return { ...toEntrega(row), historial: row.historial, cuerpo: JSON.parse(row.cuerpo) as object };
  }

  /**
   * Starts deliveries anew: one, or a page of those of a time range.
   * @throws AppError `no_encontrado`, `cursor_invalido`; `transicion_invalida` while the endpoint is disabled.
   */
  async resend(
    merchant: Merchant,
    webhookId: string,
    dto: ReenviarDto,
  ): Promise<{ reenviadas: number; siguiente_cursor: string | null }> {
    const { id, activo } = await this.webhooks.find(merchant, webhookId);
    if (!activo)
      throw new AppError('transicion_invalida', {
        detail: 'El webhook está desactivado. Actívelo (`activo: true`) y repita la solicitud.',
      });
    if (dto.entrega === undefined) return this.resendRange(merchant, id, dto);
    await this.find(id, dto.entrega);
    const { rows } = await this.database.query<EntregaEncolable>(resendDelivery(id, dto.entrega));
    await this.enqueue(rows);
    return { reenviadas: rows.length, siguiente_cursor: null };
  }

  private async resendRange(merchant: Merchant, id: string, dto: ReenviarDto) {
    const from = parseInstant(dto.desde!, 'from')!;
    const until = dto.hasta === undefined ? undefined : parseInstant(dto.hasta, 'until')!;
    const scope = {
      comercioId: merchant.id,
      order: 'id' as const,
      filters: ['reenviar', id, from, until, dto.estado],
    };
    const after = positionOf(dto, scope, this.secrets.cursorKey);
    const { rows } = await this.database.query<EntregaEncolable>(
      resendDeliveries(id, {
        after: after?.id ?? (from <= 0 ? LOWEST_ID : firstIdAt(from)),
        before: until === undefined ? HIGHEST_ID : firstIdAt(until + 1),
        estados: dto.estado === undefined ? ['entregada', 'fallida'] : [dto.estado],
        limit: RESEND_BATCH,
      }),
    );
    await this.enqueue(rows);
    const last = rows
      .map((row) => row.mensaje_id)
      .sort()
      .at(-1);
    const siguiente_cursor =
      rows.length === RESEND_BATCH ? encodeCursor({ id: last! }, scope, this.secrets.cursorKey) : null;
    return { reenviadas: rows.length, siguiente_cursor };
  }

  /**
   * Sends a test, once, and waits for what comes of it, but not for long.
   * @throws AppError `no_encontrado`
   */
  async test(merchant: Merchant, webhookId: string): Promise<EntregaDto> {
    const { id } = await this.webhooks.find(merchant, webhookId);
    const mensajeId = v7();
    const cuerpo = JSON.stringify({
      type: PRUEBA,
      timestamp: new Date().toISOString(),
      data: { webhook: id, mensaje: 'Prueba de Guías: si lee esto, el webhook funciona.' },
    });
    await this.database.query({ text: TEST, values: [id, mensajeId, merchant.id, cuerpo] });
    // From here on: a queue that does not answer takes time too.
    const until = performance.now() + TEST_WAIT_MS;
    await this.enqueue([{ webhook_id: id, mensaje_id: mensajeId, ronda: 0, guia: null }]);
    for (;;) {
      const row = await this.find(id, mensajeId);
      if (row.estado !== 'pendiente' || performance.now() > until) return toEntrega(row);
      await sleep(TEST_LOOK_MS);
    }
  }

  /** All of a guide, by its number, for support; oldest first. */
  async ofGuia(guia: string): Promise<DeliveryEntry[]> {
    const { rows } = await this.database.query<Omit<DeliveryEntry, 'host'> & { url: string }>({
      text: OF_GUIA,
      values: [guia],
      types: textTypes,
    });
    return rows.map(({ id, webhook, url, ...entry }) => ({ id, webhook, host: new URL(url).host, ...entry }));
  }

  /** Someone waits for these. Where the queue is away, the workers find them in the database. */
  private async enqueue(deliveries: EntregaEncolable[]): Promise<void> {
    const jobs = deliveries.map((delivery) => deliveryJob(delivery, deliveries.length === 1));
    await this.queues.add(WEBHOOKS, jobs).catch(() => undefined);
  }

  private async find(webhookId: string, entregaId: string): Promise<DetailRow> {
    const { rows } = isUuid(entregaId)
      ? await this.database.query<DetailRow>({ text: ONE, values: [webhookId, entregaId], types: textTypes })
      : { rows: [] };
    if (!rows[0]) throw new AppError('no_encontrado', { detail: 'No existe una entrega con ese `id`.' });
    return rows[0];
  }
}
