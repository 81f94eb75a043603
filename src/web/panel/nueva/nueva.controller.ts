import { Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../../platform/config/env.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { PageAnswer, seeOther } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { AnswerDeadline } from '../../../platform/http/answer-limit.js';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { PanelFormsService, type Refusal } from '../forms/panel-forms.service.js';
import type { Visit } from '../visit.js';
import { renderNueva, renderPoint } from './nueva-page.js';
import { municipiosOf, NuevaService, type NuevaView } from './nueva.service.js';

/** Takes a new guide: what the customer wrote, and the form. */
@ApiExcludeController()
@Controller('panel/guias/nueva')
export class NuevaController {
  constructor(
    private readonly nueva: NuevaService,
    private readonly forms: PanelFormsService,
    private readonly config: Config,
  ) {}

  /** With `de=texto` filled from the text that is kept. */
  @Page({ who: 'merchant', need: 'guias:escribir' })
  async form(@CurrentVisitor() visit: Visit, @QueryTexts() { de }: Form): Promise<string> {
    return this.render(visit, await (de === 'texto' ? this.nueva.fill(visit) : this.nueva.empty(visit)));
  }

  @PageForm({ path: 'texto', who: 'merchant', need: 'guias:escribir' })
  async keepText(@SentForm() { by: visit, fields: { texto = '' } }: Sent<Visit>): Promise<PageAnswer> {
    await this.nueva.keepText(visit, texto);
    return seeOther('/panel/guias/nueva?de=texto');
  }

  /** Changes nothing: for browsers without scripts. */
  @PageForm({ path: 'revisar', who: 'merchant', need: 'guias:escribir' })
  async check(@SentForm() { by: visit, fields }: Sent<Visit>): Promise<string> {
    return this.render(visit, await this.nueva.again(visit, fields));
  }

  /** The map of a pasted link, as a part of the page. Posted, so that no place stands in an address. */
  @PageForm({ path: 'punto', who: 'merchant', need: 'guias:escribir' })
  async point(@SentForm() { by: visit, fields }: Sent<Visit>): Promise<string> {
    const point = await this.nueva.pointOf(visit.merchant.id, fields.maps_url);
    return renderPoint(point, this.config.tiles);
  }

  @PageForm({ path: 'municipios', who: 'merchant', need: 'guias:escribir' })
  municipios(@SentForm() { by: visit, fields }: Sent<Visit>): PageAnswer {
    const names = JSON.stringify(municipiosOf(visit.merchant.country, fields.departamento));
    return new PageAnswer(names, { 'Content-Type': 'application/json; charset=utf-8' });
  }

  @PageForm({ who: 'merchant', need: 'guias:escribir' })
  create(@SentForm() form: Sent<Visit>, @AnswerDeadline() deadline: number): Promise<PageAnswer> {
    const { by: visit, fields } = form;
    return this.forms.submit(
      form,
      async () => {
        const { numero, isNew } = await this.nueva.create(visit, fields, deadline);
        return `/panel/guias/${numero}?hecho=${isNew ? 'creada' : 'conocida'}`;
      },
      async (refusal) => this.render(visit, await this.nueva.again(visit, fields), refusal),
    );
  }

  private render(visit: Visit, view: NuevaView, refusal?: Refusal): string {
    return renderNueva({ visit, view, tiles: this.config.tiles, refusal });
  }
}
