import { Controller, Header, Param, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../config/env.js';
import { toLabelFile } from '../../etiquetas/etiquetas.controller.js';
import { EtiquetasService } from '../../etiquetas/etiquetas.service.js';
import { GuiaEditsService } from '../../guias/changes/guia-edits.service.js';
import { GuiaMovesService } from '../../guias/changes/guia-moves.service.js';
import { CancelarGuiaDto } from '../../guias/dto/cancelar-guia.dto.js';
import type { PageAnswer } from '../../html/page-answer.js';
import { withQuery } from '../../html/with-query.js';
import { AnswerDeadline } from '../../http/answer-limit.js';
import type { Form } from '../../http/form-texts.js';
import { LocationRequestsService } from '../../notifications/requests/location-requests.service.js';
import { readInput } from '../../validation/read-input.js';
import { PanelFormsService } from '../forms/panel-forms.service.js';
import { pageAnswer, PanelGet, PanelPost, seeOther } from '../panel-routes.js';
import { CurrentVisit, PanelQuery, SentFields, type Visit } from '../visit.js';
import { readChange, versionOf } from './guia-form.js';
import { renderGuia, type RefusedForm } from './guia-page.js';
import { renderGuias } from './guias-page.js';
import { PanelGuiaService } from './panel-guia.service.js';
import { PanelGuiasService } from './panel-guias.service.js';

/** The merchant's guides: the list, the search, and what is done with one. */
@ApiExcludeController()
@Controller('panel/guias')
export class PanelGuiasController {
  constructor(
    private readonly lists: PanelGuiasService,
    private readonly pages: PanelGuiaService,
    private readonly forms: PanelFormsService,
    private readonly edits: GuiaEditsService,
    private readonly moves: GuiaMovesService,
    private readonly requests: LocationRequestsService,
    private readonly labels: EtiquetasService,
    private readonly config: Config,
  ) {}

  @PanelGet('')
  async list(@CurrentVisit() visit: Visit, @PanelQuery() query: Form): Promise<PageAnswer> {
    return pageAnswer(renderGuias(visit, await this.lists.view(visit, query)));
  }

  /** Changes nothing. Leads to the address of the search, unless a phone would stand in it. */
  @PanelPost('', 'guias:leer')
  async search(
    @CurrentVisit() visit: Visit,
    @SentFields() { q = '', estado = '' }: Form,
  ): Promise<PageAnswer> {
    const text = q.trim();
    if (!this.lists.isPhone(visit, text)) return seeOther(withQuery('/panel/guias', { q: text, estado }));
    return pageAnswer(renderGuias(visit, await this.lists.view(visit, { q, estado })));
  }

  @PanelGet(':guia')
  async show(
    @CurrentVisit() visit: Visit,
    @Param('guia') guia: string,
    @PanelQuery() { hecho, abrir }: Form,
  ): Promise<PageAnswer> {
    return pageAnswer(await this.render(visit, guia, { hecho, abrir }));
  }

  @PanelGet(':guia/etiqueta')
  @Header('Cache-Control', 'private, no-store')
  async label(
    @CurrentVisit() { merchant }: Visit,
    @Param('guia') guia: string,
    @AnswerDeadline() deadline: number,
  ): Promise<StreamableFile> {
    return toLabelFile(await this.labels.one({ comercioId: merchant.id }, guia, {}, deadline, 'panel'));
  }

  @PanelPost(':guia/cambiar', 'guias:escribir')
  edit(
    @CurrentVisit() visit: Visit,
    @Param('guia') guia: string,
    @SentFields() fields: Form,
  ): Promise<PageAnswer> {
    return this.act(visit, guia, 'cambiar', fields, async () => {
      const { country } = visit.merchant;
      const dto = readChange(fields, { country, defaultCountry: this.config.defaultCountry });
      await this.edits.edit(visit.merchant, guia, dto, versionOf(fields));
      return 'cambiada';
    });
  }

  @PanelPost(':guia/cancelar', 'guias:escribir')
  cancel(
    @CurrentVisit() visit: Visit,
    @Param('guia') guia: string,
    @SentFields() fields: Form,
  ): Promise<PageAnswer> {
    return this.act(visit, guia, 'cancelar', fields, async () => {
      const { clave: _, ...own } = fields;
      const { nota } = readInput(CancelarGuiaDto, own, {});
      await this.moves.cancel(visit.merchant, guia, nota);
      return 'cancelada';
    });
  }

  @PanelPost(':guia/pedir', 'guias:escribir')
  ask(
    @CurrentVisit() visit: Visit,
    @Param('guia') guia: string,
    @SentFields() fields: Form,
  ): Promise<PageAnswer> {
    return this.act(visit, guia, 'pedir', fields, async () => {
      await this.requests.ask(guia, { comercioId: visit.merchant.id }, { actor: 'comercio' });
      return 'pedida';
    });
  }

  /** @param act returns the word of what it did. */
  private act(
    visit: Visit,
    guia: string,
    form: RefusedForm['form'],
    fields: Form,
    act: () => Promise<string>,
  ): Promise<PageAnswer> {
    return this.forms.submit(
      visit,
      fields,
      async () => withQuery(`/panel/guias/${encodeURIComponent(guia)}`, { hecho: await act() }),
      async (refusal) =>
        pageAnswer(await this.render(visit, guia, { refused: { form, fields, ...refusal } }), 422),
    );
  }

  private async render(
    visit: Visit,
    guia: string,
    shown: { hecho?: string | undefined; abrir?: string | undefined; refused?: RefusedForm },
  ): Promise<string> {
    return renderGuia({ visit, tiles: this.config.tiles, ...(await this.pages.load(visit, guia)), ...shown });
  }
}
