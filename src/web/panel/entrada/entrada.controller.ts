import { Controller, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { pageAnswer, type PageAnswer } from '../../kit/page-answer.js';
import { Page, PageForm } from '../../kit/page-routes.js';
import { SessionsService } from '../session/sessions.service.js';
import { EnlacesService } from './enlaces.service.js';
import { renderChoice, renderConfirmed, renderDeadLink, renderLink } from './entrada-pages.js';

/** The pages behind the links that are sent by mail. To look at one changes nothing: mail servers follow links. */
@ApiExcludeController()
@Controller('panel')
export class EntradaController {
  constructor(
    private readonly enlaces: EnlacesService,
    private readonly sessions: SessionsService,
  ) {}

  @Page({ path: 'entrar/:token', who: 'merchant', need: 'enlace' })
  async showEntry(@Param('token') token: string): Promise<PageAnswer> {
    const enlace = await this.enlaces.find(token);
    return enlace?.comercio_id === null ? pageAnswer(renderLink(`/panel/entrar/${token}`)) : deadLink();
  }

  @PageForm({ path: 'entrar/:token', who: 'merchant', need: 'enlace' })
  async enter(
    @Param('token') token: string,
    @SentForm() { fields }: Sent<undefined>,
    @Req() request: FastifyRequest,
  ): Promise<PageAnswer> {
    const entry = await this.enlaces.enter(token, fields.comercio);
    if (!entry) return deadLink();
    if ('session' in entry) return this.sessions.goOn('/panel', request, entry.session);
    return pageAnswer(renderChoice(`/panel/entrar/${entry.token}`, entry.shops));
  }

  @Page({ path: 'correo/:token', who: 'merchant', need: 'enlace' })
  async showConfirmation(@Param('token') token: string): Promise<PageAnswer> {
    const enlace = await this.enlaces.find(token);
    if (!enlace || enlace.comercio_id === null) return deadLink();
    return pageAnswer(renderLink(`/panel/correo/${token}`, enlace.correo));
  }

  @PageForm({ path: 'correo/:token', who: 'merchant', need: 'enlace' })
  async confirm(@Param('token') token: string): Promise<PageAnswer> {
    const confirmed = await this.enlaces.confirm(token);
    return confirmed ? pageAnswer(renderConfirmed(confirmed)) : deadLink();
  }
}

const deadLink = () => pageAnswer(renderDeadLink(), 404);
