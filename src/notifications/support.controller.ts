import { Controller, Get, Header, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/decorators.js';
import { AppError } from '../errors/app-error.js';
import { isGuiaNumero } from '../guias/guia-numero.js';
import { adminUserOf } from '../queues/admin-access.js';
import { MessageHistory } from './message-history.service.js';
import { renderSupportPage } from './support-page.js';

/** Where the board's jobs lead: the guide that a message is about. */
@ApiExcludeController()
@Controller('admin/guias')
export class SupportController {
  constructor(private readonly history: MessageHistory) {}

  /** Public to merchants' keys only: `protectAdmin` asks for a password, and without a board there is no page. */
  @Get(':guia')
  @Public()
  @Header('Content-Type', 'text/html; charset=utf-8')
  async show(@Param('guia') guia: string, @Req() request: FastifyRequest): Promise<string> {
    const mayLook = adminUserOf(request) !== undefined && isGuiaNumero(guia);
    const view = mayLook ? await this.history.supportView(guia) : undefined;
    if (!view) throw new AppError('no_encontrado', { detail: 'No existe una guía con ese número.' });
    return renderSupportPage(view, (await this.history.ofGuia(guia)) ?? []);
  }
}
