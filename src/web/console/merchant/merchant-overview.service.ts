import { Injectable } from '@nestjs/common';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { MerchantsService } from '../../../auth/merchants/merchants.service.js';
import { toMerchant } from '../../../auth/merchants/to-merchant.js';
import { ApiKeysService, type KeyWithMerchant } from '../../../auth/keys/api-keys.service.js';
import type { AjusteRow } from '../../../cobros/ajustes.queries.js';
import { AjustesService } from '../../../cobros/ajustes.service.js';
import { Database } from '../../../database/database.js';
import { firstIdAt } from '../../../database/row-id.js';
import { AppError } from '../../../errors/app-error.js';
import { OPEN_ESTADOS } from '../../../guias/guia-estado.js';
import type { GuiaRow } from '../../../guias/guia-row.js';
import { GuiaListService } from '../../../guias/list/guia-list.service.js';
import { timeZoneOf } from '../../../validation/time-zone.js';
import { DeliveryLogService } from '../../../webhooks/deliveries/delivery-log.service.js';
import type { EntregaDto } from '../../../webhooks/deliveries/entrega.dto.js';
import type { EntregaEstado } from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import { WebhooksService } from '../../../webhooks/endpoints/webhooks.service.js';
import type { Webhook } from '../../../webhooks/endpoints/webhook.entity.js';
import { healthOfEndpoints, type EndpointHealth } from './endpoint-health.queries.js';
import { guiasByEstado, type EstadoCount } from './merchant-guias.queries.js';
import type { GuiasVista } from './merchant-lists-page.js';
import { startsOfDays } from './local-days.js';
import { guiasPerDay } from './merchants.queries.js';

/** Adjustments on the page. */
const ADJUSTMENTS = 30;

/** Days of the chart. */
const DAYS = 30;

/** Guides that were created on a day where the merchant is. */
export interface DayUsage {
  /** `2026-11-21`. */
  dia: string;
  guias: number;
}

/** Everything about a merchant. */
export interface MerchantOverview {
  merchant: Comercio;
  /** Newest first. */
  keys: KeyWithMerchant[];
  /** Oldest first. */
  endpoints: { webhook: Webhook; health: EndpointHealth | undefined }[];
  /** Oldest first, today last. */
  usage: DayUsage[];
  /** In the usual order of the states. */
  estados: EstadoCount[];
  /** Newest first, the last `ADJUSTMENTS`. */
  ajustes: AjusteRow[];
}

/** Reads support's page of a merchant. */
@Injectable()
export class MerchantOverviewService {
  constructor(
    private readonly database: Database,
    private readonly merchants: MerchantsService,
    private readonly keys: ApiKeysService,
    private readonly webhooks: WebhooksService,
    private readonly lists: GuiaListService,
    private readonly deliveries: DeliveryLogService,
    private readonly adjustments: AjustesService,
  ) {}

  /** @throws AppError `no_encontrado` */
  async find(id: string): Promise<Comercio> {
    const merchant = await this.merchants.find(id);
    if (!merchant) throw new AppError('no_encontrado', { detail: 'No existe ese comercio.' });
    return merchant;
  }

  /** @throws AppError `no_encontrado` */
  async load(id: string): Promise<MerchantOverview> {
    const merchant = await this.find(id);
    const [keys, webhooks, health, usage, estados, ajustes] = await Promise.all([
      this.keys.list({ comercio_id: merchant.id }),
      this.webhooks.list(toMerchant(merchant)),
      this.database.staff.query<EndpointHealth>(healthOfEndpoints(merchant.id)),
      this.usage(merchant),
      this.database.staff.query<EstadoCount>(guiasByEstado(merchant.id)),
      this.adjustments.newest(merchant, ADJUSTMENTS),
    ]);
    const healthOf = new Map(health.rows.map((row) => [row.webhook_id, row]));
    const endpoints = webhooks.map((webhook) => ({ webhook, health: healthOf.get(webhook.id) }));
    return { merchant, keys, endpoints, usage, estados: estados.rows, ajustes };
  }

  /** @throws AppError `no_encontrado` */
  async endpoint(id: string, webhookId: string): Promise<{ merchant: Comercio; webhook: Webhook }> {
    const merchant = await this.find(id);
    return { merchant, webhook: await this.webhooks.find(toMerchant(merchant), webhookId) };
  }

  /** A page of a merchant's guides in a state, or of those whose destination is still to be confirmed. @throws AppError `no_encontrado`, `cursor_invalido` */
  async guias(
    id: string,
    vista: GuiasVista,
    cursor: string | undefined,
  ): Promise<{ merchant: Comercio; guias: GuiaRow[]; next: string | null }> {
    const merchant = await this.find(id);
    const filter =
      vista === 'sin-confirmar'
        ? { estados: OPEN_ESTADOS, direccion_confirmada: false }
        : { estados: [vista] };
    const { guias, siguiente_cursor } = await this.lists.list(toMerchant(merchant), filter, pageAt(cursor));
    return { merchant, guias, next: siguiente_cursor };
  }

  /** A page of an endpoint's deliveries in a state. @throws AppError `no_encontrado`, `cursor_invalido` */
  async entregas(
    id: string,
    webhookId: string,
    estado: EntregaEstado,
    cursor: string | undefined,
  ): Promise<{ merchant: Comercio; webhook: Webhook; entregas: EntregaDto[]; next: string | null }> {
    const found = await this.endpoint(id, webhookId);
    const page = await this.deliveries.page(toMerchant(found.merchant), webhookId, {
      ...pageAt(cursor),
      estado,
    });
    return { ...found, entregas: page.entregas, next: page.siguiente_cursor };
  }

  private async usage({ id, pais }: Comercio): Promise<DayUsage[]> {
    const starts = startsOfDays(Date.now(), DAYS, timeZoneOf(pais));
    const days = starts
      .slice(0, -1)
      .map(({ dia, ms }, i) => ({ dia, desde: firstIdAt(ms), hasta: firstIdAt(starts[i + 1]!.ms) }));
    return (await this.database.staff.query<DayUsage>(guiasPerDay(id, days))).rows;
  }
}

/** Rows of a list on a page. */
const PAGE = '50';

const pageAt = (cursor: string | undefined) => ({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
