import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { toMerchant } from '../../../auth/merchants/to-merchant.js';
import { Database } from '../../../platform/database/database.js';
import { OptOutsService } from '../../../notifications/inbound/opt-outs.service.js';
import { textosOfGuia, type TextoRow } from '../../../notifications/inbound/texts.queries.js';
import { MessageHistoryService } from '../../../notifications/messages/message-history.service.js';
import { GuiasService } from '../../../guias/guias.service.js';
import type { GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { noSuchGuia } from '../../../guias/guia/guia-lookup.js';
import { isGuiaNumero } from '../../../guias/guia/guia-digits.js';
import type { PilotoDto } from '../../../pilotos/dto/piloto.dto.js';
import { PilotosService } from '../../../pilotos/pilotos.service.js';
import { TrackingLinksService } from '../../../guias/tracking/tracking-links.service.js';
import { DeliveryLogService } from '../../../webhooks/deliveries/delivery-log.service.js';
import type { EntregaDetalleDto } from '../../../webhooks/deliveries/entrega.dto.js';
import { WebhooksService } from '../../../webhooks/endpoints/webhooks.service.js';
import { AuditService } from '../audit/audit.service.js';
import type { AuditRow } from '../audit/audit.queries.js';
import { merchantOfGuia, type MerchantOfGuia } from '../accounts/merchants.queries.js';
import { shownUrl } from '../../kit/shown-link.js';
import { cobroOfGuia, type CobroDeGuia } from './guia-cobro.queries.js';
import { GuiaStoryService, type Story } from '../../../support/guia/guia-story.service.js';
import { notasOfGuia, type NotaRow } from '../../../support/guia/guia-notas.queries.js';
import type { MessageText } from './guia-timeline.js';

const MAX_NOTAS = 20;

export interface GuiaOverview extends Omit<Story, 'guia'> {
  merchant: Merchant;
  guia: GuiaDetalleRow;
  /** Of a delivered guide, the way of the money. */
  cobro: CobroDeGuia | undefined;
  piloto: PilotoDto | undefined;
  /** Newest first. */
  notas: NotaRow[];
  textos: TextoRow[];
  /** Each message as its recipient reads it, by its id. */
  texts: ReadonlyMap<string, MessageText>;
  isOptedOut: boolean;
  acciones: AuditRow[];
}

@Injectable()
export class GuiaOverviewService {
  constructor(
    private readonly database: Database,
    private readonly guias: GuiasService,
    private readonly stories: GuiaStoryService,
    private readonly deliveries: DeliveryLogService,
    private readonly webhooks: WebhooksService,
    private readonly messages: MessageHistoryService,
    private readonly links: TrackingLinksService,
    private readonly pilotos: PilotosService,
    private readonly optOuts: OptOutsService,
    private readonly audit: AuditService,
  ) {}

  /** @throws AppError `no_encontrado` */
  async load(numero: string): Promise<GuiaOverview> {
    const merchant = await this.merchantOf(numero);
    const guia = await this.guias.readFromPrimary(merchant, numero);
    const [parts, cobro, piloto, notas, textos, wish, acciones] = await Promise.all([
      this.stories.partsOf(numero),
      this.database.staff.rows<CobroDeGuia>(cobroOfGuia(merchant.id, guia.id)),
      this.pilotos.ofGuia(merchant.id, guia.id),
      this.database.staff.rows<NotaRow>(notasOfGuia(guia.id, MAX_NOTAS)),
      this.database.staff.rows<TextoRow>(textosOfGuia(merchant.id, guia.id)),
      this.optOuts.findLast({ telefono: guia.telefono, usuario: null }),
      this.audit.ofGuia(numero),
    ]);
    const about = { nombre: guia.destinatario, comercio: merchant.name, guia: numero };
    const origin = this.links.origin();
    const texts = new Map(
      parts.mensajes.map((mensaje) => [mensaje.id, this.messages.textOf(mensaje, about, origin)]),
    );
    return {
      merchant,
      guia,
      ...parts,
      cobro: cobro[0],
      piloto,
      notas,
      textos,
      texts,
      isOptedOut: wish.de_baja,
      acciones,
    };
  }

  /** The merchant of a guide. @throws AppError `no_encontrado` */
  async merchantOf(numero: string): Promise<Merchant> {
    const [merchant] = isGuiaNumero(numero)
      ? await this.database.staff.rows<MerchantOfGuia>(merchantOfGuia(numero))
      : [];
    if (!merchant) throw noSuchGuia();
    return toMerchant(merchant);
  }

  /** A delivery of a guide with all its tries, and the endpoint as it may be shown. @throws AppError `no_encontrado` */
  async delivery(
    numero: string,
    webhookId: string,
    entregaId: string,
  ): Promise<{ merchant: Merchant; entrega: EntregaDetalleDto; endpoint: string }> {
    const merchant = await this.merchantOf(numero);
    const entrega = await this.deliveries.detail(merchant, webhookId, entregaId);
    if (entrega.guia !== numero) throw noSuchGuia();
    const { url } = await this.webhooks.find(merchant, webhookId);
    return { merchant, entrega, endpoint: shownUrl(url) };
  }
}
