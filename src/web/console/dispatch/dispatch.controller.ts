import { Controller, Param, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../../config/env.js';
import { isUuid } from '../../../database/row-id.js';
import { toLabelFile } from '../../../etiquetas/etiquetas.controller.js';
import { AppError } from '../../../errors/app-error.js';
import { QueryTexts, valuesIn, type Form } from '../../../http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { pageAnswer, type PageAnswer } from '../../kit/page-answer.js';
import { csvFile } from '../../../http/csv-answer.js';
import { AnswerDeadline } from '../../../http/answer-limit.js';
import { timeZoneOf } from '../../../validation/time-zone.js';
import type { StaffUser } from '../admin-access.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import type { Done, Outcome } from '../audit/audit.service.js';
import { CLOSING, renderClosing } from './closing-page.js';
import { ClosingService } from './closing.service.js';
import { renderDispatch } from './dispatch-page.js';
import { wrongPlace } from './wrong-place.js';
import { FILTERS, viewOf } from './dispatch-filter.js';
import { DispatchService, pageOf } from './dispatch.service.js';
import { renderDriver, renderDrivers } from './drivers-page.js';
import { DriversService, type NewLink } from './drivers.service.js';

const ROLE = 'despacho';

/** What dispatchers do: which driver brings which guides, drivers and their links, the day's close. */
@ApiExcludeController()
@Controller('admin')
export class DispatchController {
  private readonly zone: string;

  constructor(
    private readonly dispatch: DispatchService,
    private readonly drivers: DriversService,
    private readonly closing: ClosingService,
    private readonly config: Config,
  ) {
    this.zone = timeZoneOf(config.defaultCountry);
  }

  @Page({ path: 'despacho', who: 'staff', need: ROLE })
  async board(@CurrentVisitor() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return this.page(user, query, []);
  }

  /** Adds a guide to the selection; changes nothing. */
  @PageForm({ path: 'despacho/elegir', who: 'staff', need: ROLE }, { formList: 'guias' })
  async choose(
    @SentForm() { by: user, fields }: Sent<StaffUser>,
    @QueryTexts() query: Form,
  ): Promise<string> {
    const scanned = fields.g?.trim() ?? '';
    return this.page(user, query, [...(scanned === '' ? [] : [scanned]), ...valuesIn(fields.guias)]);
  }

  @PageForm({ path: 'despacho/asignar', who: 'staff', need: ROLE }, { formList: 'guias' })
  async assign(@SentForm() form: Sent<StaffUser>, @QueryTexts() query: Form): Promise<string> {
    const { outcome } = await this.dispatch.assign(form, viewOf(query, this.zone).filter);
    const isDone = outcome?.resultado === 'hecho';
    return this.page(form.by, query, isDone ? [] : valuesIn(form.fields.guias), outcome);
  }

  /** Changes nothing. */
  @PageForm({ path: 'despacho/etiquetas', who: 'staff', need: ROLE }, { formList: 'guias' })
  async labels(
    @SentForm() form: Sent<StaffUser>,
    @QueryTexts() query: Form,
    @AnswerDeadline() deadline: number,
  ): Promise<StreamableFile | PageAnswer> {
    try {
      return toLabelFile(await this.dispatch.labels(form, viewOf(query, this.zone).filter, deadline));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      // What was chosen stays so.
      const outcome = { resultado: 'rechazado' as const, nota: error.detail };
      const page = await this.page(form.by, query, valuesIn(form.fields.guias), outcome);
      return pageAnswer(page, error.status);
    }
  }

  @Page({ path: 'despacho/pilotos', who: 'staff', need: ROLE })
  async driverList(@CurrentVisitor() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return renderDrivers({
      user,
      drivers: await this.closing.drivers(),
      page: pageOf(query.pagina),
    });
  }

  @PageForm({ path: 'despacho/pilotos', who: 'staff', need: ROLE })
  async createDriver(@SentForm() form: Sent<StaffUser>): Promise<string> {
    const done = await this.drivers.create(form);
    if (done.made) return this.driverPage(form.by, done.made.id, 'datos', done);
    const drivers = await this.closing.drivers();
    return renderDrivers({ user: form.by, drivers, page: 1, refused: done });
  }

  @Page({ path: 'despacho/pilotos/:id', who: 'staff', need: ROLE })
  async driver(@CurrentVisitor() user: StaffUser, @Param('id') id: string): Promise<string> {
    return renderDriver({
      user,
      driver: await this.drivers.find(id),
      zone: this.zone,
      country: this.config.defaultCountry,
    });
  }

  @PageForm({ path: 'despacho/pilotos/:id', who: 'staff', need: ROLE })
  async updateDriver(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, 'datos', await this.drivers.update(form, id));
  }

  @PageForm({ path: 'despacho/pilotos/:id/enlace', who: 'staff', need: ROLE })
  async link(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, 'enlace', await this.drivers.link(form, id));
  }

  @PageForm({ path: 'despacho/pilotos/:id/activar', who: 'staff', need: ROLE })
  async activate(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, 'activo', await this.drivers.activate(form, id, true));
  }

  @PageForm({ path: 'despacho/pilotos/:id/desactivar', who: 'staff', need: ROLE })
  async deactivate(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, 'activo', await this.drivers.activate(form, id, false));
  }

  @Page({ path: 'despacho/cierre', who: 'staff', need: ROLE })
  async close(@CurrentVisitor() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return renderClosing({ ...(await this.closingOf(user)), query });
  }

  @Page({ path: 'despacho/cierre/pilotos.csv', who: 'staff', need: ROLE })
  async closeFile(): Promise<StreamableFile> {
    const day = new Date().toLocaleDateString('sv', { timeZone: this.zone });
    return csvFile(`cierre-${day}`, await this.closing.dayCsv());
  }

  @Page({ path: 'despacho/cierre/liquidaciones.csv', who: 'staff', need: ROLE })
  async settlementsFile(): Promise<StreamableFile> {
    return csvFile('liquidaciones', await this.closing.settlementsCsv());
  }

  @Page({ path: 'despacho/cierre/liquidaciones/:id/guias.csv', who: 'staff', need: ROLE })
  async settlementFile(@Param('id') id: string): Promise<StreamableFile> {
    return csvFile(`liquidacion-${id}`, await this.closing.guiasCsv(id));
  }

  @PageForm({ path: 'despacho/cierre/pilotos/:id/caja', who: 'staff', need: ROLE })
  async handOver(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    return this.closingPage(form.by, query, `pilotos/${id}/caja`, await this.closing.handOver(form, id));
  }

  @PageForm({ path: 'despacho/cierre/comercios/:id/liquidar', who: 'staff', need: ROLE })
  async settle(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    return this.closingPage(form.by, query, `comercios/${id}/liquidar`, await this.closing.settle(form, id));
  }

  @PageForm({ path: 'despacho/cierre/liquidaciones/:id/pagar', who: 'staff', need: ROLE })
  async pay(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    return this.closingPage(form.by, query, `liquidaciones/${id}/pagar`, await this.closing.pay(form, id));
  }

  private async page(user: StaffUser, sent: Form, chosen: string[], outcome?: Outcome): Promise<string> {
    const view = viewOf(sent, this.zone);
    const query = Object.fromEntries(FILTERS.map((name) => [name, sent[name]?.slice(0, 120) ?? '']));
    const [board, drivers] = await Promise.all([this.dispatch.board(view, chosen), this.closing.drivers()]);
    const { filter } = view;
    const wrong = [
      ...view.faults,
      wrongPlace(filter, board.lugares, this.config.defaultCountry),
      board.tiendas?.length === 0 && `No hay un comercio «${filter.comercio!}». Elíjalo de la lista.`,
      isUuid(filter.piloto ?? '') &&
        !drivers.some(({ id }) => id === filter.piloto) &&
        'No hay un piloto así. Elíjalo de la lista.',
    ].filter((text) => typeof text === 'string');
    return renderDispatch({ user, view, query, ...board, drivers, tiles: this.config.tiles, outcome, wrong });
  }

  private async driverPage(
    user: StaffUser,
    id: string,
    form: 'datos' | 'enlace' | 'activo',
    done: Done<unknown>,
  ): Promise<string> {
    const driver = await this.drivers.find(id);
    const newLink = form === 'enlace' ? (done.made as NewLink | undefined) : undefined;
    return renderDriver({
      user,
      driver,
      zone: this.zone,
      country: this.config.defaultCountry,
      newLink,
      sent: { form, done },
    });
  }

  private async closingOf(user: StaffUser) {
    return { user, country: this.config.defaultCountry, ...(await this.closing.load()) };
  }

  private async closingPage(
    user: StaffUser,
    query: Form,
    path: string,
    done: Done<unknown>,
  ): Promise<string> {
    const sent = { action: `${CLOSING}/${path}`, done };
    return renderClosing({ ...(await this.closingOf(user)), query, sent });
  }
}
