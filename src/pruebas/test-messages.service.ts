import { Injectable } from '@nestjs/common';
import type { Merchant } from '../auth/merchants/merchant.js';
import { Secrets } from '../platform/config/secrets.js';
import { MessageHistoryService } from '../notifications/messages/message-history.service.js';
import { Page, type PageOf } from '../platform/pagination/page.js';
import {
  toMensajeDePrueba,
  type ListarMensajesDePruebaDto,
  type MensajeDePruebaDto,
} from './dto/mensaje-de-prueba.dto.js';

@Injectable()
export class TestMessagesService {
  constructor(
    private readonly messages: MessageHistoryService,
    private readonly secrets: Secrets,
  ) {}

  /** Newest first. @throws AppError `cursor_invalido` */
  async list(
    merchant: Merchant,
    dto: ListarMensajesDePruebaDto,
  ): Promise<PageOf<'mensajes', MensajeDePruebaDto>> {
    const { guia } = dto;
    const scope = { comercioId: merchant.id, order: 'id' as const, filters: ['mensajes', guia] };
    const page = new Page(dto, scope, this.secrets.cursorKey);
    const mensajes = await this.messages.listSandboxOf(merchant, guia, page);
    return page.of('mensajes', mensajes, ({ id }) => ({ id }), toMensajeDePrueba);
  }
}
