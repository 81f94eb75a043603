import { Injectable } from '@nestjs/common';
import type { Comercio } from '../../auth/merchants/comercio.entity.js';
import { MerchantsService } from '../../auth/merchants/merchants.service.js';
import { toMerchant } from '../../auth/merchants/to-merchant.js';
import { ApiKeysService, type KeyWithMerchant } from '../../auth/keys/api-keys.service.js';
import { Database } from '../../database/database.js';
import { firstIdAt } from '../../database/row-id.js';
import { AppError } from '../../errors/app-error.js';
import { timeZoneOf } from '../../validation/time-zone.js';
import { WebhooksService } from '../../webhooks/endpoints/webhooks.service.js';
import type { Webhook } from '../../webhooks/endpoints/webhook.entity.js';
import { healthOfEndpoints, type EndpointHealth } from './endpoint-health.queries.js';
import { startsOfDays } from './local-days.js';
import { guiasPerDay } from './merchants.queries.js';

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
}

/** Reads support's page of a merchant. */
@Injectable()
export class MerchantOverviewService {
  constructor(
    private readonly database: Database,
    private readonly merchants: MerchantsService,
    private readonly keys: ApiKeysService,
    private readonly webhooks: WebhooksService,
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
    const [keys, webhooks, health, usage] = await Promise.all([
      this.keys.list({ comercio_id: merchant.id }),
      this.webhooks.list(toMerchant(merchant)),
      this.database.query<EndpointHealth>(healthOfEndpoints(merchant.id)),
      this.usage(merchant),
    ]);
    const healthOf = new Map(health.rows.map((row) => [row.webhook_id, row]));
    const endpoints = webhooks.map((webhook) => ({ webhook, health: healthOf.get(webhook.id) }));
    return { merchant, keys, endpoints, usage };
  }

  /** @throws AppError `no_encontrado` */
  async endpoint(id: string, webhookId: string): Promise<{ merchant: Comercio; webhook: Webhook }> {
    const merchant = await this.find(id);
    return { merchant, webhook: await this.webhooks.find(toMerchant(merchant), webhookId) };
  }

  private async usage({ id, pais }: Comercio): Promise<DayUsage[]> {
    const starts = startsOfDays(Date.now(), DAYS, timeZoneOf(pais));
    const days = starts
      .slice(0, -1)
      .map(({ dia, ms }, i) => ({ dia, desde: firstIdAt(ms), hasta: firstIdAt(starts[i + 1]!.ms) }));
    return (await this.database.query<DayUsage>(guiasPerDay(id, days))).rows;
  }
}
