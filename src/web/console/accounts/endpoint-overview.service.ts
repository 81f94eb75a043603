import { Injectable } from '@nestjs/common';
import { MerchantsService } from '../../../auth/merchants/merchants.service.js';
import { OperatorsService } from '../../../auth/operators/operators.service.js';
import { Config } from '../../../platform/config/env.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { Database } from '../../../platform/database/database.js';
import { DeliveryLogService } from '../../../webhooks/deliveries/delivery-log.service.js';
import type { EntregaDto } from '../../../webhooks/deliveries/entrega.dto.js';
import type { EntregaEstado } from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import type { Webhook } from '../../../webhooks/endpoints/webhook.entity.js';
import { WebhooksService } from '../../../webhooks/endpoints/webhooks.service.js';
import type { AccountRef } from './account-kind.js';
import { accountOfMerchant, accountOfOperator, type EndpointAccount } from './endpoint-account.js';
import type { WatchedEndpoint } from './endpoint-box.js';
import { healthOfEndpoints, type EndpointHealth } from './endpoint-health.queries.js';
import { pageAt } from './page-at.js';

@Injectable()
export class EndpointOverviewService {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveryLogService,
    private readonly merchants: MerchantsService,
    private readonly operators: OperatorsService,
    private readonly config: Config,
  ) {}

  /** Whose endpoints a page is about. @throws AppError `no_encontrado` */
  async accountOf({ kind, id }: AccountRef): Promise<EndpointAccount> {
    if (kind === 'comercios') return accountOfMerchant(await this.merchants.findOrFail(id));
    return accountOfOperator(await this.operators.findOrFail(id), timeZoneOf(this.config.defaultCountry));
  }

  /** Oldest first. */
  async list({ owner }: EndpointAccount): Promise<WatchedEndpoint[]> {
    const [webhooks, health] = await Promise.all([
      this.webhooks.list(owner),
      this.database.staff.rows<EndpointHealth>(healthOfEndpoints(owner.id)),
    ]);
    const healthOf = new Map(health.map((row) => [row.webhook_id, row]));
    return webhooks.map((webhook) => ({ webhook, health: healthOf.get(webhook.id) }));
  }

  /** @throws AppError `no_encontrado` */
  async find(
    account: EndpointAccount,
    webhookId: string,
  ): Promise<{ account: EndpointAccount; webhook: Webhook }> {
    return { account, webhook: await this.webhooks.find(account.owner, webhookId) };
  }

  /** A page of an endpoint's deliveries in a state. @throws AppError `no_encontrado`, `cursor_invalido` */
  async entregas(
    account: EndpointAccount,
    webhookId: string,
    estado: EntregaEstado,
    cursor: string | undefined,
  ): Promise<{ account: EndpointAccount; webhook: Webhook; entregas: EntregaDto[]; next: string | null }> {
    const found = await this.find(account, webhookId);
    const page = await this.deliveries.page(account.owner, webhookId, { ...pageAt(cursor), estado });
    return { ...found, entregas: page.entregas, next: page.siguiente_cursor };
  }
}
