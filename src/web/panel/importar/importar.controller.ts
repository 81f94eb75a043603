import { Controller, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { separatorIn } from '../../../guias/lote/csv-template.js';
import { KeyLimits } from '../../../auth/key-limits.js';
import { requestsFor } from '../../../auth/request-cost.interceptor.js';
import { Config } from '../../../platform/config/env.js';
import { KIB } from '../../../platform/config/body-limit.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { seeOther, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { AnswerDeadline, whileAwaited } from '../../../platform/http/answer-limit.js';
import { csvFile, csvLines } from '../../../platform/http/csv-answer.js';
import { pageIn, QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { sentFile } from '../../../platform/http/multipart-body.js';
import { answerForm, type Refusal } from '../forms/panel-forms.service.js';
import type { Visit } from '../visit.js';
import { renderReview, renderUpload } from './importar-page.js';
import { ImportarService, MAX_FILE } from './importar.service.js';
import { TakeBackService } from './take-back.service.js';

/** The field of the form with the file. */
const FILE = 'archivo';

/** So that Excel reads UTF-8. */
const BOM = '\ufeff';

/** The headings of a file to begin with, as people say them. */
const TEMPLATE = [
  ...['Pedido', 'Nombre', 'Teléfono', 'Departamento', 'Municipio', 'Dirección', 'Referencia', 'Contenido'],
  ...['Por cobrar', 'Enlace de mapa', 'Notas'],
];

@ApiExcludeController()
@Controller('panel/importar')
export class ImportarController {
  constructor(
    private readonly importar: ImportarService,
    private readonly takeBacks: TakeBackService,
    private readonly limits: KeyLimits,
    private readonly config: Config,
  ) {}

  @Page({ who: 'merchant', need: 'guias:escribir' })
  form(@CurrentVisitor() visit: Visit): string {
    return renderUpload(visit);
  }

  @PageForm({ who: 'merchant', need: 'guias:escribir' }, { takesFile: FILE, bodyLimit: MAX_FILE + 16 * KIB })
  upload(
    @SentForm() form: Sent<Visit>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @AnswerDeadline() deadline: number,
  ): Promise<PageAnswer> {
    const upload = {
      file: sentFile(request.body, FILE),
      signal: whileAwaited(reply, deadline),
      charge: (rows: number) => this.limits.charge(request, reply, requestsFor(rows)),
    };
    return answerForm(
      form,
      async () => seeOther(`/panel/importar/${await this.importar.upload(form.by, upload)}`),
      (refusal) => renderUpload(form.by, refusal),
    );
  }

  @Page({ path: 'plantilla.csv', who: 'merchant', need: 'guias:escribir' })
  template(@CurrentVisitor() { merchant }: Visit): StreamableFile {
    return csvFile('plantilla', `${BOM}${TEMPLATE.join(separatorIn(merchant.country))}\r\n`);
  }

  @Page({ path: ':id', who: 'merchant', need: 'guias:escribir' })
  async show(
    @CurrentVisitor() visit: Visit,
    @Param('id') id: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    return this.render(visit, id, { page: pageIn(query), isTakenBack: query.deshaciendo === 'si' });
  }

  @PageForm({ path: ':id/columnas', who: 'merchant', need: 'guias:escribir' })
  map(@Param('id') id: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.step(id, form, () => this.importar.map(form.by, id, form.fields));
  }

  @PageForm({ path: ':id/filas', who: 'merchant', need: 'guias:escribir' })
  mend(@Param('id') id: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.step(id, form, () => this.importar.mend(form.by, id, form.fields));
  }

  @PageForm({ path: ':id/recogida', who: 'merchant', need: 'guias:escribir' })
  pickup(@Param('id') id: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.step(id, form, () => this.importar.setPickup(form.by, id, form.fields));
  }

  @PageForm({ path: ':id/crear', who: 'merchant', need: 'guias:escribir' })
  create(
    @Param('id') id: string,
    @SentForm() form: Sent<Visit>,
    @AnswerDeadline() deadline: number,
  ): Promise<PageAnswer> {
    return this.step(id, form, () => this.importar.import(form.by, id, deadline, form.fields));
  }

  @PageForm({ path: ':id/deshacer', who: 'merchant', need: 'guias:escribir' })
  takeBack(@Param('id') id: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.step(id, form, async () =>
      (await this.takeBacks.takeBack(form.by, await this.importar.find(form.by, id)))
        ? ''
        : '?deshaciendo=si',
    );
  }

  @Page({ path: ':id/rechazadas.csv', who: 'merchant', need: 'guias:escribir' })
  async refused(@CurrentVisitor() visit: Visit, @Param('id') id: string): Promise<StreamableFile> {
    const { columns, rows } = await this.importar.refused(visit, id);
    return csvFile('guias-por-corregir', BOM + csvLines(rows, columns, true));
  }

  /** @param act returns what follows the page's path. */
  private step(id: string, form: Sent<Visit>, act: () => Promise<string | void>): Promise<PageAnswer> {
    return answerForm(
      form,
      async () => seeOther(`/panel/importar/${id}${(await act()) ?? ''}`),
      (refusal) => this.render(form.by, id, { refusal }),
    );
  }

  private async render(
    visit: Visit,
    id: string,
    shown: { page?: number; refusal?: Refusal; isTakenBack?: boolean },
  ): Promise<string> {
    const review = await this.importar.review(visit, id);
    return renderReview({ visit, review, tiles: this.config.tiles, ...shown });
  }
}
