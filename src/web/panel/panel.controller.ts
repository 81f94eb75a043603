import { Controller, Get, Ip, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../platform/http/public.js';
import { Config } from '../../platform/config/env.js';
import { findAsset, type AssetRequest } from '../kit/assets.js';
import { SentForm, type Sent } from '../kit/forms/sent-form.js';
import { PageAnswerInterceptor, pageAnswer, seeOther, type PageAnswer } from '../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../kit/page-routes.js';
import { hasConsole } from '../../platform/http/console.js';
import { EmailField } from '../../platform/validation/email.js';
import { inspect } from '../../platform/validation/read-input.js';
import { QueryTexts, valuesIn, type Form } from '../../platform/http/form-texts.js';
import { PanelFormsService } from './forms/panel-forms.service.js';
import { EnlacesService } from './entrada/enlaces.service.js';
import { renderSent } from './entrada/entrada-pages.js';
import { renderSignIn, type SignInProps } from './pages/sign-in-page.js';
import { SessionsService } from './session/sessions.service.js';
import { renderToday } from './today/today-page.js';
import { TodayService } from './today/today.service.js';
import type { Visit } from './visit.js';

/** An address that asks for a link to sign in. */
class EntradaForm {
  @EmailField({ required: true, description: 'El correo de la tienda.' })
  correo: string;
}

@ApiExcludeController()
@Controller('panel')
export class PanelController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly enlaces: EnlacesService,
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
    if (visit) return renderToday(visit, await this.today.load(visit), hecho);
    return this.signInPage(server);
  }

  /** By a key, or by an address of mail, whose answer is the same for all addresses. */
  @PageForm({ who: 'merchant', need: 'entrada' })
  async signIn(
    @SentForm() form: Sent<Visit | undefined>,
    @Ip() ip: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageAnswer> {
    const { api_key: apiKey = '', correo } = form.fields;
    if (apiKey !== '' || correo === undefined)
      return this.sessions.goOn('/panel', request, await this.sessions.begin(apiKey.trim(), ip, reply));
    const { value, errors } = inspect(EntradaForm, { correo }, {});
    const [fault] = errors;
    if (!value || fault)
      return pageAnswer(this.signInPage(request.server, fault && { ...fault, typed: correo }), 422);
    await this.enlaces.sendEntry(value.correo, ip);
    return pageAnswer(renderSent(value.correo, this.config.courier), 202);
  }

  @PageForm({ path: 'salir', who: 'merchant', need: 'entrada' })
  async signOut(@Req() request: FastifyRequest): Promise<PageAnswer> {
    return this.sessions.goOn('/panel', request);
  }

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
  asset(@Req() request: AssetRequest): Promise<PageAnswer> {
    return findAsset(request.params.name, request);
  }

  private signInPage(server: FastifyInstance, fault?: SignInProps['fault']): string {
    return renderSignIn({ config: this.config, hasConsole: hasConsole(server), fault });
  }
}
