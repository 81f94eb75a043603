import { Controller, Header, HttpCode, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { MAX_LABELS } from '../../etiquetas/etiqueta.dto.js';
import { toLabelFile } from '../../etiquetas/etiquetas.controller.js';
import { EtiquetasService } from '../../etiquetas/etiquetas.service.js';
import type { PageAnswer } from '../../html/page-answer.js';
import { AnswerDeadline } from '../../http/answer-limit.js';
import type { Form } from '../../http/form-texts.js';
import { pageAnswer, PanelPost } from '../panel-routes.js';
import { CurrentVisit, SentFields, type Visit } from '../visit.js';
import { renderGuias } from './guias-page.js';
import { PanelGuiasService } from './panel-guias.service.js';

/** Prints the labels of a selection as one PDF. */
@ApiExcludeController()
@Controller('panel/etiquetas')
export class PanelLabelsController {
  constructor(
    private readonly labels: EtiquetasService,
    private readonly lists: PanelGuiasService,
  ) {}

  /** Changes nothing but when they were printed. @throws AppError `no_encontrado` */
  @PanelPost('', 'guias:leer', { formList: 'guias' })
  @HttpCode(200)
  @Header('Cache-Control', 'private, no-store')
  async print(
    @CurrentVisit() visit: Visit,
    @SentFields() { guias = '' }: Form,
    @AnswerDeadline() deadline: number,
  ): Promise<StreamableFile | PageAnswer> {
    const chosen = guias === '' ? [] : [...new Set(guias.split(','))];
    if (chosen.length === 0 || chosen.length > MAX_LABELS) {
      const fault = `Elija de 1 a ${MAX_LABELS} guías para imprimir.`;
      return pageAnswer(renderGuias(visit, await this.lists.view(visit, {}), fault), 422);
    }
    const owner = { comercioId: visit.merchant.id };
    return toLabelFile(await this.labels.many(owner, chosen, { formato: 'pdf' }, deadline, 'panel'));
  }
}
