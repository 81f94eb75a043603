import { Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../config/env.js';
import { PageAnswer } from '../../html/page-answer.js';
import { AnswerDeadline } from '../../http/answer-limit.js';
import type { Form } from '../../http/form-texts.js';
import { PanelFormsService } from '../forms/panel-forms.service.js';
import { pageAnswer, PanelGet, PanelPost } from '../panel-routes.js';
import { CurrentVisit, SentFields, type Visit } from '../visit.js';
import { renderNueva, renderPoint } from './nueva-page.js';
import { municipiosOf, NuevaService } from './nueva.service.js';

/** Takes a new guide: what the customer wrote, and the form. */
@ApiExcludeController()
@Controller('panel/guias/nueva')
export class NuevaController {
  constructor(
    private readonly nueva: NuevaService,
    private readonly forms: PanelFormsService,
    private readonly config: Config,
  ) {}

  @PanelGet('', 'guias:escribir')
  async form(@CurrentVisit() visit: Visit): Promise<PageAnswer> {
    return pageAnswer(renderNueva(visit, await this.nueva.empty(visit), this.config.tiles));
  }

  /** Changes nothing. */
  @PanelPost('texto', 'guias:escribir')
  async fill(@CurrentVisit() visit: Visit, @SentFields() { texto = '' }: Form): Promise<PageAnswer> {
    return pageAnswer(renderNueva(visit, await this.nueva.fill(visit, texto), this.config.tiles));
  }

  /** Changes nothing: for browsers without scripts. */
  @PanelPost('revisar', 'guias:escribir')
  async check(@CurrentVisit() visit: Visit, @SentFields() fields: Form): Promise<PageAnswer> {
    return pageAnswer(renderNueva(visit, await this.nueva.again(visit, fields), this.config.tiles));
  }

  /** The map of a pasted link, as a part of the page. Posted, so that no place stands in an address. */
  @PanelPost('punto', 'guias:escribir')
  async point(
    @CurrentVisit() { merchant }: Visit,
    @SentFields() { maps_url: link = '' }: Form,
  ): Promise<PageAnswer> {
    return pageAnswer(renderPoint(await this.nueva.pointOf(merchant.id, link), this.config.tiles));
  }

  @PanelPost('municipios', 'guias:escribir')
  municipios(@CurrentVisit() { merchant }: Visit, @SentFields() { departamento }: Form): PageAnswer {
    const names = JSON.stringify(municipiosOf(merchant.country, departamento));
    return new PageAnswer(names, { 'Content-Type': 'application/json; charset=utf-8' });
  }

  @PanelPost('', 'guias:escribir')
  create(
    @CurrentVisit() visit: Visit,
    @SentFields() fields: Form,
    @AnswerDeadline() deadline: number,
  ): Promise<PageAnswer> {
    return this.forms.submit(
      visit,
      fields,
      async () => `/panel/guias/${await this.nueva.create(visit, fields, deadline)}?hecho=creada`,
      async (refusal) =>
        pageAnswer(
          renderNueva(visit, await this.nueva.again(visit, fields), this.config.tiles, refusal),
          422,
        ),
    );
  }
}
