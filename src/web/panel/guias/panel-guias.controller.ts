import { Controller, Header, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyLimits } from '../../../auth/key-limits.js';
import { CostsByItem, requestsFor } from '../../../auth/request-cost.interceptor.js';
import { Config } from '../../../platform/config/env.js';
import { checkChosen, MAX_LABELS, MAX_OF_FILTER } from '../../../etiquetas/etiqueta.dto.js';
import { toLabelFile } from '../../../etiquetas/etiquetas.controller.js';
import { EtiquetasService } from '../../../etiquetas/etiquetas.service.js';
import { GuiaEditsService } from '../../../guias/changes/guia-edits.service.js';
import { GuiaMovesService } from '../../../guias/changes/guia-moves.service.js';
import { isGuiaEstado } from '../../../guias/guia/guia-estado.js';
import { CancelarGuiaDto } from '../../../guias/dto/cancelar-guia.dto.js';
import { withPlainAmount } from '../../../guias/lote/amount-text.js';
import { readInput } from '../../../platform/validation/read-input.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { pageAnswer, seeOther, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { withQuery } from '../../kit/with-query.js';
import { AnswerDeadline } from '../../../platform/http/answer-limit.js';
import { csvFile } from '../../../platform/http/csv-answer.js';
import { QueryTexts, textsOf, valuesIn, type Form } from '../../../platform/http/form-texts.js';
import { LocationRequestsService } from '../../../notifications/requests/location-requests.service.js';
import { AjustesService } from '../ajustes/ajustes.service.js';
import { answerForm, PanelFormsService } from '../forms/panel-forms.service.js';
import type { Visit } from '../visit.js';
import { chosenPunto, RecogidasService } from '../recogidas/recogidas.service.js';
import { CLEAR_PLACE, readChange, versionOf } from './guia-form.js';
import { renderGuia, type FormName, type RefusedForm } from './guia-page.js';
import { renderGuias } from './guias-page.js';
import { PanelGuiasService, searched } from './panel-guias.service.js';

/** Labels of a selection; one that is too large is refused, and costs one request. Those of a filter are counted once it is read. */
function labelsIn(body: unknown): number {
  const { guias, todas } = textsOf(body);
  const { length } = valuesIn(guias);
  return length > MAX_LABELS || todas !== undefined ? 1 : length;
}

/** The filter of a form that prints all guides of one, or those that wait to be picked up; undefined for a selection. */
function filterOf({ todas, ...fields }: Form): Form | undefined {
  if (todas === 'hoy') return { estado: 'aceptado' };
  return todas === 'si' ? fields : undefined;
}

@ApiExcludeController()
@Controller('panel')
export class PanelGuiasController {
  constructor(
    private readonly guias: PanelGuiasService,
    private readonly forms: PanelFormsService,
    private readonly edits: GuiaEditsService,
    private readonly moves: GuiaMovesService,
    private readonly requests: LocationRequestsService,
    private readonly labels: EtiquetasService,
    private readonly ajustes: AjustesService,
    private readonly limits: KeyLimits,
    private readonly recogidas: RecogidasService,
    private readonly config: Config,
  ) {}

  @Page({ path: 'guias', who: 'merchant', need: 'guias:leer' })
  async list(@CurrentVisitor() visit: Visit, @QueryTexts() query: Form): Promise<string | PageAnswer> {
    const view = await this.guias.view(visit, query);
    const page = renderGuias(visit, view);
    return view.typed.faults.length > 0 ? pageAnswer(page, 422) : page;
  }

  @Page({ path: 'guias/csv', who: 'merchant', need: 'guias:leer' })
  async csv(@CurrentVisitor() visit: Visit, @QueryTexts() query: Form): Promise<StreamableFile> {
    return csvFile('guias', await this.guias.csv(visit, query));
  }

  /** Changes nothing. Leads to the address of the search, unless a phone would stand in it. */
  @PageForm({ path: 'guias', who: 'merchant', need: 'guias:leer' })
  async search(
    @SentForm() { by: visit, fields: { q = '', estado = '' } }: Sent<Visit>,
  ): Promise<string | PageAnswer> {
    const search = { q: searched(q), estado: isGuiaEstado(estado) ? estado : '' };
    if (!this.guias.isPhone(visit, search.q)) return seeOther(withQuery('/panel/guias', search));
    return renderGuias(visit, await this.guias.view(visit, search));
  }

  @Page({ path: 'guias/:guia', who: 'merchant', need: 'guias:leer' })
  async show(
    @CurrentVisitor() visit: Visit,
    @Param('guia') guia: string,
    @QueryTexts() { hecho, abrir }: Form,
  ): Promise<string> {
    return this.render(visit, guia, { hecho, abrir });
  }

  @Page({ path: 'guias/:guia/etiqueta', who: 'merchant', need: 'guias:leer' })
  @Header('Cache-Control', 'private, no-store')
  async label(
    @CurrentVisitor() { merchant }: Visit,
    @Param('guia') guia: string,
    @AnswerDeadline() deadline: number,
  ): Promise<StreamableFile> {
    const options = { tamano: await this.ajustes.tamanoOf(merchant.id) };
    return toLabelFile(await this.labels.one({ comercioId: merchant.id }, guia, options, deadline, 'panel'));
  }

  @PageForm({ path: 'guias/:guia/cambiar', who: 'merchant', need: 'guias:escribir' })
  edit(@Param('guia') guia: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.act(guia, 'cambiar', form, async ({ merchant }) => {
      const { defaultCountry } = this.config;
      const dto = readChange(withPlainAmount(form.fields, merchant), {
        country: merchant.country,
        currency: merchant.currency,
        defaultCountry,
      });
      const { recogida } = form.fields;
      const punto = recogida ? chosenPunto(await this.recogidas.of(merchant.id), recogida) : undefined;
      const author = { actor: 'comercio' as const };
      await this.edits.edit(merchant, guia, dto, versionOf(form.fields), author, punto);
      return form.fields[CLEAR_PLACE] === 'si' ? 'quitada' : 'cambiada';
    });
  }

  @PageForm({ path: 'guias/:guia/cancelar', who: 'merchant', need: 'guias:escribir' })
  cancel(@Param('guia') guia: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.act(guia, 'cancelar', form, async ({ merchant }) => {
      const { nota } = readInput(CancelarGuiaDto, form.fields, {});
      await this.moves.cancel(merchant, guia, nota);
      return 'cancelada';
    });
  }

  @PageForm({ path: 'guias/:guia/pedir', who: 'merchant', need: 'guias:escribir' })
  ask(@Param('guia') guia: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.act(guia, 'pedir', form, async ({ merchant }) => {
      await this.requests.ask(guia, { comercioId: merchant.id }, { actor: 'comercio' });
      return 'pedida';
    });
  }

  /**
   * The labels of a selection, or of all guides of a filter (`todas`), as one PDF. Changes nothing but when they were printed, and
   * the size that is remembered. @throws AppError `no_encontrado`, `demasiadas_solicitudes`
   */
  @PageForm({ path: 'etiquetas', who: 'merchant', need: 'guias:leer' }, { formList: 'guias' })
  @CostsByItem(labelsIn)
  @Header('Cache-Control', 'private, no-store')
  print(
    @SentForm() form: Sent<Visit>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @AnswerDeadline() deadline: number,
  ): Promise<StreamableFile | PageAnswer> {
    const { by: visit, fields } = form;
    const owner = { comercioId: visit.merchant.id };
    return answerForm(
      form,
      async () => {
        const tamano = await this.ajustes.tamanoOf(owner.comercioId, fields.tamano);
        const filter = filterOf(fields);
        const ofFilter = filter && (await this.guias.matching(visit, filter));
        const chosen = ofFilter ?? valuesIn(fields.guias);
        checkChosen(chosen, ofFilter && MAX_OF_FILTER);
        if (ofFilter) await this.limits.charge(request, reply, requestsFor(ofFilter.length));
        const options = { formato: 'pdf', tamano } as const;
        return toLabelFile(await this.labels.many(owner, chosen, options, deadline, 'panel'));
      },
      async (refusal) => renderGuias(visit, await this.guias.view(visit, fields), refusal),
    );
  }

  /** @param act returns the word of what it did. */
  private act(
    guia: string,
    name: FormName,
    form: Sent<Visit>,
    act: (visit: Visit) => Promise<string>,
  ): Promise<PageAnswer> {
    const { by: visit } = form;
    return this.forms.submit(
      form,
      async () => withQuery(`/panel/guias/${encodeURIComponent(guia)}`, { hecho: await act(visit) }),
      (refusal) => this.render(visit, guia, { refused: { ...refusal, form: name } }),
    );
  }

  private async render(
    visit: Visit,
    guia: string,
    shown: { hecho?: string | undefined; abrir?: string | undefined; refused?: RefusedForm },
  ): Promise<string> {
    const [view, puntos] = await Promise.all([
      this.guias.load(visit, guia),
      this.recogidas.of(visit.merchant.id),
    ]);
    return renderGuia({ visit, tiles: this.config.tiles, puntos, ...view, ...shown });
  }
}
