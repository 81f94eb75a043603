import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { v7 } from 'uuid';
import { Comercio } from '../../auth/merchants/comercio.entity.js';
import { isMerchant, type Owner } from '../../auth/owner.js';
import { Operador } from '../../auth/operators/operador.entity.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { isUuid } from '../../platform/database/row-id.js';
import { AppError } from '../../platform/errors/app-error.js';
import { writeWebhookSecret } from '../../platform/config/webhook-secret.js';
import { signingKeyOf } from './signing-keys.js';
import type { CrearWebhookDto, EditarWebhookDto } from './webhook.dto.js';
import { OPERATOR_EVENTO_NAMES, WEBHOOK_EVENTO_NAMES } from './webhook-evento.js';
import { Webhook } from './webhook.entity.js';

/** Endpoints of one owner. */
const MAX_WEBHOOKS = 20;

@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** @throws AppError `limite_de_webhooks`; `comercio_cerrado` */
  async create(owner: Owner, dto: CrearWebhookDto): Promise<{ webhook: Webhook; secreto: string }> {
    const now = new Date();
    const id = v7();
    await this.database.managed(owner.id, async (manager) => {
      // Serialises an owner's concurrent creates, which together could exceed the limit, and a merchant's closing.
      const lock = { where: { id: owner.id }, lock: { mode: 'for_no_key_update' as const } };
      if (isMerchant(owner)) {
        const { cerrado_en } = await manager.findOneOrFail(Comercio, lock);
        if (cerrado_en !== null) throw new AppError('comercio_cerrado');
      } else await manager.findOneOrFail(Operador, lock);
      const count = await manager.countBy(Webhook, { ...ownedBy(owner), eliminado_en: IsNull() });
      if (count >= MAX_WEBHOOKS) throw new AppError('limite_de_webhooks');
      await manager.insert(Webhook, {
        id,
        ...ownedBy(owner),
        url: dto.url,
        descripcion: dto.descripcion ?? null,
        eventos: dto.eventos ?? [...(isMerchant(owner) ? WEBHOOK_EVENTO_NAMES : OPERATOR_EVENTO_NAMES)],
        creado_en: now,
        actualizado_en: now,
      });
    });
    const webhook = await this.find(owner, id);
    return { webhook, secreto: this.secretOf(webhook) };
  }

  /** Oldest first. */
  list(owner: Owner): Promise<Webhook[]> {
    return this.webhooks.find({
      where: { ...ownedBy(owner), eliminado_en: IsNull() },
      order: { id: 'asc' },
    });
  }

  /** @throws AppError `no_encontrado`, also for another owner's endpoint. */
  async find(owner: Owner, id: string): Promise<Webhook> {
    const where = { id, ...ownedBy(owner), eliminado_en: IsNull() };
    const webhook = isUuid(id) ? await this.webhooks.findOneBy(where) : null;
    if (!webhook) throw noSuchWebhook();
    return webhook;
  }

  /** @throws AppError `no_encontrado`; `comercio_cerrado` for an endpoint that is to be activated. */
  async update(
    owner: Owner,
    id: string,
    { activo, url, eventos, descripcion }: EditarWebhookDto,
  ): Promise<Webhook> {
    if (!isUuid(id)) throw noSuchWebhook();
    const where = { id, ...ownedBy(owner), eliminado_en: IsNull() };
    return this.database.managed(id.toLowerCase(), async (manager) => {
      const webhook = await manager.findOne(Webhook, { where, lock: { mode: 'for_no_key_update' } });
      if (!webhook) throw noSuchWebhook();
      const isClosed =
        activo === true && (await manager.existsBy(Comercio, { id: owner.id, cerrado_en: Not(IsNull()) }));
      if (isClosed && !webhook.activo)
        throw new AppError('comercio_cerrado', {
          detail: 'El comercio está cerrado: no recibe avisos. Reábralo antes.',
        });
      const now = new Date();
      await manager.update(
        Webhook,
        { id, ...ownedBy(owner) },
        {
          ...(url !== undefined && { url, falla_desde: null, lento: true }),
          ...(eventos !== undefined && { eventos }),
          ...(descripcion !== undefined && { descripcion }),
          ...(activo === true && {
            activo,
            desactivado_en: null,
            desactivado_por: null,
            falla_desde: null,
            ...(!isClosed && { termina_en: null }),
          }),
          // An endpoint that is disabled already keeps its first reason.
          ...(activo === false &&
            webhook.activo && {
              activo,
              desactivado_en: now,
              desactivado_por: isMerchant(owner) ? ('comercio' as const) : ('operador' as const),
            }),
          actualizado_en: now,
        },
      );
      return manager.findOneByOrFail(Webhook, where);
    });
  }

  /** Deletes an endpoint; its pending deliveries fail. @throws AppError `no_encontrado` */
  async remove(owner: Owner, id: string): Promise<void> {
    const webhook = await this.find(owner, id);
    await this.webhooks.update({ id: webhook.id, ...ownedBy(owner) }, { eliminado_en: new Date() });
  }

  /**
   * Creates a new secret; the previous one also signs until the overlap ends. Never more than two are valid.
   * @throws AppError `no_encontrado`
   */
  async rotate(owner: Owner, id: string, overlapMs: number): Promise<{ webhook: Webhook; secreto: string }> {
    const { id: webhookId } = await this.find(owner, id);
    const now = Date.now();
    await this.webhooks.update(
      { id: webhookId, ...ownedBy(owner) },
      {
        secreto: () => 'secreto + 1',
        secreto_anterior_hasta: new Date(now + overlapMs),
        actualizado_en: new Date(now),
      },
    );
    const webhook = await this.find(owner, id);
    return { webhook, secreto: this.secretOf(webhook) };
  }

  private secretOf({ id, secreto }: Webhook): string {
    return writeWebhookSecret(signingKeyOf(id, secreto, this.secrets.webhookKey));
  }
}

/** The column that says whose an endpoint is. */
function ownedBy(owner: Owner): { comercio_id: string } | { operador_id: string } {
  return isMerchant(owner) ? { comercio_id: owner.id } : { operador_id: owner.id };
}

function noSuchWebhook(): AppError {
  return new AppError('no_encontrado', { detail: 'No existe un webhook con ese `id`.' });
}
