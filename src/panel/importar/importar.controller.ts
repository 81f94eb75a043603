import { Controller, Param, Req, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { stringify } from 'csv-stringify/sync';
import { KIB, MIB } from '../../config/body-limit.js';
import type { PageAnswer } from '../../html/page-answer.js';
import { AnswerDeadline } from '../../http/answer-limit.js';
import { csvFile } from '../../http/csv-answer.js';
import type { Form } from '../../http/form-texts.js';
import type { SentFile } from '../../http/multipart-body.js';
import { refusalOf } from '../forms/panel-forms.service.js';
import { pageAnswer, PanelGet, PanelPost, seeOther } from '../panel-routes.js';
import { CurrentVisit, PanelQuery, SentFields, type Visit } from '../visit.js';
import { renderReview, renderUpload } from './importar-page.js';
import { ImportarService } from './importar.service.js';

/** So that Excel reads UTF-8. */
const BOM = '\ufeff';

/** Imports files of guides, each step a page. */
@ApiExcludeController()
@Controller('panel/importar')
export class ImportarController {
  constructor(private readonly importar: ImportarService) {}

  @PanelGet('', 'guias:escribir')
  form(@CurrentVisit() visit: Visit): PageAnswer {
    return pageAnswer(renderUpload(visit));
  }

  @PanelPost('', 'guias:escribir', { takesFile: 'archivo', bodyLimit: 5 * MIB + 16 * KIB })
  async upload(
    @CurrentVisit() visit: Visit,
    @Req() { body }: FastifyRequest<{ Body: { archivo?: SentFile } | null }>,
  ): Promise<PageAnswer> {
    try {
      return seeOther(`/panel/importar/${await this.importar.upload(visit, body?.archivo)}`);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return pageAnswer(renderUpload(visit, refusal), 422);
    }
  }

  @PanelGet(':id', 'guias:escribir')
  show(
    @CurrentVisit() visit: Visit,
    @Param('id') id: string,
    @PanelQuery() { pagina }: Form,
  ): Promise<PageAnswer> {
    return this.page(visit, id, /^[1-9]\d{0,3}$/.test(pagina ?? '') ? Number(pagina) : 1);
  }

  @PanelPost(':id/columnas', 'guias:escribir')
  map(
    @CurrentVisit() visit: Visit,
    @Param('id') id: string,
    @SentFields() fields: Form,
  ): Promise<PageAnswer> {
    return this.step(visit, id, () => this.importar.map(visit, id, fields));
  }

  @PanelPost(':id/filas', 'guias:escribir')
  mend(
    @CurrentVisit() visit: Visit,
    @Param('id') id: string,
    @SentFields() fields: Form,
  ): Promise<PageAnswer> {
    return this.step(visit, id, () => this.importar.mend(visit, id, fields));
  }

  @PanelPost(':id/recogida', 'guias:escribir')
  pickup(
    @CurrentVisit() visit: Visit,
    @Param('id') id: string,
    @SentFields() fields: Form,
  ): Promise<PageAnswer> {
    return this.step(visit, id, () => this.importar.setPickup(visit, fields));
  }

  @PanelPost(':id/crear', 'guias:escribir')
  create(
    @CurrentVisit() visit: Visit,
    @Param('id') id: string,
    @AnswerDeadline() deadline: number,
  ): Promise<PageAnswer> {
    return this.step(visit, id, () => this.importar.import(visit, id, deadline));
  }

  @PanelGet(':id/rechazadas.csv', 'guias:escribir')
  async refused(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<StreamableFile> {
    const { columns, rows } = await this.importar.refused(visit, id);
    const options = { record_delimiter: 'windows', escape_formulas: true } as const;
    return csvFile('guias-por-corregir', BOM + stringify([columns, ...rows], options));
  }

  private async step(visit: Visit, id: string, act: () => Promise<void>): Promise<PageAnswer> {
    try {
      await act();
      return seeOther(`/panel/importar/${id}`);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return this.page(visit, id, 1, refusal);
    }
  }

  private async page(
    visit: Visit,
    id: string,
    page: number,
    refusal?: ReturnType<typeof refusalOf>,
  ): Promise<PageAnswer> {
    const review = await this.importar.review(visit, id);
    return pageAnswer(renderReview(visit, review, page, refusal), refusal ? 422 : 200);
  }
}
