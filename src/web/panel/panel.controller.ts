import { Controller, Get, Ip, Param, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../platform/http/public.js';
import { Config } from '../../platform/config/env.js';
import { findAsset } from '../kit/assets.js';
import { SentForm, type Sent } from '../kit/forms/sent-form.js';
import { PageAnswerInterceptor, seeOther, type PageAnswer } from '../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../kit/page-routes.js';
import { hasConsole } from '../../platform/http/console.js';
import { QueryTexts, valuesIn, type Form } from '../../platform/http/form-texts.js';
import { PanelFormsService } from './forms/panel-forms.service.js';
import { renderSignIn } from './pages/panel-page.js';
import { sessionCookie, SessionsService, tokenIn } from './session/sessions.service.js';
import { renderToday } from './today/today-page.js';
import { TodayService } from './today/today.service.js';
import type { Visit } from './visit.js';

/** The first page of the panel, and the way in and out. */
@ApiExcludeController()
@Controller('panel')
export class PanelController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly today: TodayService,
    private readonly forms: PanelFormsService,
    private readonly config: Config,
  ) {}

  @Page({ who: 'merchant', need: 'entrada' })
  async home(
    @CurrentVisitor() visit: Visit | undefined,
    @QueryTexts() { hecho }: Form,
    @Req() { server }: FastifyRequest,
  ): Promise<string> {
    return visit ? renderToday(visit, await this.today.load(visit), hecho) : renderSignIn(hasConsole(server));
  }

  @PageForm({ who: 'merchant', need: 'entrada' })
  async signIn(
    @SentForm() { fields: { api_key: apiKey = '' } }: Sent<Visit>,
    @Ip() ip: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageAnswer> {
    const token = await this.sessions.begin(apiKey.trim(), ip, reply);
    await this.sessions.end(tokenIn(request.headers.cookie));
    return seeOther('/panel', this.cookie(token, request));
  }

  @PageForm({ path: 'salir', who: 'merchant', need: 'entrada' })
  async signOut(@Req() request: FastifyRequest): Promise<PageAnswer> {
    await this.sessions.end(tokenIn(request.headers.cookie));
    return seeOther('/panel', this.cookie('', request));
  }

  /** Asks several recipients for their place. */
  @PageForm({ path: 'pedir', who: 'merchant', need: 'guias:escribir' }, { formList: 'guias' })
  async ask(@SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    const path = await this.forms.once(form, async () => {
      const { asked, refused } = await this.today.ask(form.by, valuesIn(form.fields.guias));
      return `/panel?hecho=${asked}-${refused}`;
    });
    return seeOther(path);
  }

  /** Takes a warning out of the first page, of a guide or of all that it counted. */
  @PageForm({ path: 'vistas', who: 'merchant', need: 'guias:escribir' })
  async see(@SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    const path = await this.forms.once(form, async () => {
      await this.today.see(form.by, form.fields);
      return '/panel';
    });
    return seeOther(path);
  }

  @Get('assets/:name')
  @Public()
  @UseInterceptors(PageAnswerInterceptor)
  asset(
    @Param('name') name: string,
    @Req() request: FastifyRequest<{ Querystring: { v?: string } }>,
  ): Promise<PageAnswer> {
    return findAsset(name, request);
  }

  private cookie(token: string, { protocol }: FastifyRequest): Record<string, string> {
    const isOverTls = protocol === 'https' || this.config.publicUrl?.startsWith('https:') === true;
    return { 'Set-Cookie': sessionCookie(token, isOverTls) };
  }
}
