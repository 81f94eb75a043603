import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/decorators.js';
import { Config } from '../config/env.js';
import { readDatabaseError } from '../database/database-error.reader.js';
import { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { headersOf } from '../errors/problem.filter.js';
import { ApiExcludeController } from '@nestjs/swagger';
import { readInput } from '../validation/read-input.js';
import { ConfirmationsService, type RecipientGuia, type RecipientLink } from './confirmations.service.js';
import {
  ConfirmarDto,
  fromForm,
  isDenial,
  NegarDto,
  toConfirmada,
  toNegada,
  type ConfirmadaDto,
  type NegadaDto,
} from './dto/confirmar.dto.js';
import { PageLimits } from './page-limits.js';
import { renderConfirmationPage } from './page/confirmation-page.js';
import { renderErrorPage } from './page/error-pages.js';
import { findAsset } from './page/page-assets.js';
import { isClosed, isCorrectable, toPageError } from './page/page-error.js';
import { pageHeaders } from './page/page-headers.js';
import type { PageModel } from './page/page-model.js';
import { swapQuestion } from './page/swap-question.js';
import { ES } from './page/texts.es.js';

/** Error pages, by the code of the error. */
const ERROR_PAGES: Partial<Record<ErrorCode, 'missing' | 'busy' | 'away'>> = {
  no_encontrado: 'missing',
  demasiadas_solicitudes: 'busy',
  no_disponible: 'away',
};

/** Recipients' pages have one language so far. */
const TEXTS = ES;

/** The recipient's page: a form for browsers, JSON for programs. */
@ApiExcludeController()
@Controller('c')
export class PageController {
  private readonly tiles: PageModel['tiles'];
  private readonly hasChat: boolean;

  constructor(
    private readonly confirmations: ConfirmationsService,
    private readonly limits: PageLimits,
    { tiles, messagingProvider }: Config,
  ) {
    this.tiles = tiles;
    this.hasChat = messagingProvider === 'whatsapp';
  }

  @Get('assets/:name')
  @Public()
  asset(
    @Param('name') name: string,
    @Req() request: FastifyRequest<{ Querystring: { v?: string } }>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    const asset = findAsset(name, request.headers['accept-encoding'], request.query.v);
    if (!asset) throw new AppError('no_encontrado');
    void reply.headers(asset.headers);
    return asset.body;
  }

  /** Changes nothing: messaging apps fetch links to preview them. */
  @Get(':token')
  @Public()
  show(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.page(reply, async () => this.render((await this.find(token, request.ip)).guia));
  }

  @Post(':token')
  @Public({ takesForm: true })
  @HttpCode(200)
  async answer(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | ConfirmadaDto | NegadaDto> {
    return /^application\/json\b/i.test(request.headers['content-type'] ?? '')
      ? this.answerJson(token, request)
      : this.page(reply, () => this.answerForm(token, request, reply));
  }

  private async answerJson(token: string, { body, ip }: FastifyRequest): Promise<ConfirmadaDto | NegadaDto> {
    const link = await this.admit(token, ip);
    return isDenial(body)
      ? toNegada(await this.deny(link, body))
      : toConfirmada(await this.confirm(link, body));
  }

  private async answerForm(
    token: string,
    { body, ip }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    const link = await this.admit(token, ip);
    const form = (body ?? {}) as Record<string, string>;
    const question = link.guia.isOpen ? swapQuestion(form, link.guia, TEXTS) : undefined;
    if (question) {
      void reply.status(400);
      return this.render(link.guia, { error: question, posted: form });
    }
    try {
      return this.render(isDenial(form) ? await this.deny(link, form) : await this.confirmForm(link, form));
    } catch (error) {
      if (!isCorrectable(error)) throw error;
      void reply.status(error.status).headers(headersOf(error));
      const { guia } = isClosed(error) ? await this.find(token, ip) : link;
      return this.render(guia, { error: toPageError(error, TEXTS, isDenial(form)), posted: form });
    }
  }

  /** @throws AppError `no_encontrado`; `demasiadas_solicitudes` once an address has guessed too often. */
  private async find(token: string, ip: string): Promise<RecipientLink> {
    const link = await this.confirmations.find(token);
    if (link) return link;
    await this.limits.countMiss(ip);
    throw new AppError('no_encontrado', { detail: 'Este enlace no está disponible.' });
  }

  private async admit(token: string, ip: string): Promise<RecipientLink> {
    const link = await this.find(token, ip);
    await this.limits.countAnswer(token);
    return link;
  }

  private confirm(link: RecipientLink, body: unknown): Promise<RecipientGuia> {
    return this.confirmations.confirm(link, readInput(ConfirmarDto, body, {}));
  }

  /** A saved landmark, which the form showed, is removed where it was emptied. */
  private confirmForm(link: RecipientLink, form: Record<string, string>): Promise<RecipientGuia> {
    const answer = readInput(ConfirmarDto, fromForm(form), {});
    if (link.guia.confirmed?.referencia && form.referencia?.trim() === '') answer.referencia = '';
    return this.confirmations.confirm(link, answer);
  }

  private deny(link: RecipientLink, body: unknown): Promise<RecipientGuia> {
    readInput(NegarDto, body, {});
    return this.confirmations.deny(link);
  }

  private render(guia: RecipientGuia, posted?: Pick<PageModel, 'error' | 'posted'>): string {
    const { tiles, hasChat } = this;
    return renderConfirmationPage({
      texts: TEXTS,
      error: null,
      posted: {},
      tiles,
      hasChat,
      ...guia,
      ...posted,
    });
  }

  private async page(reply: FastifyReply, render: () => Promise<string>): Promise<string> {
    let page: string;
    try {
      page = await render();
    } catch (error) {
      const known = error instanceof AppError ? error : readDatabaseError(error);
      const errorPage = known && ERROR_PAGES[known.codigo];
      if (!errorPage) throw error;
      void reply.status(known.status).headers(headersOf(known));
      page = renderErrorPage(TEXTS, errorPage);
    }
    void reply.headers(pageHeaders(this.tiles));
    return page;
  }
}
