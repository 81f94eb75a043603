import { Controller, Param, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../../config/env.js';
import { toLabelFile } from '../../../etiquetas/etiquetas.controller.js';
import { AppError } from '../../../errors/app-error.js';
import { QueryTexts, valuesIn, type Form } from '../../../http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { pageAnswer, type PageAnswer } from '../../kit/page-answer.js';
import { AnswerDeadline } from '../../../http/answer-limit.js';
import { timeZoneOf } from '../../../validation/time-zone.js';
import type { StaffUser } from '../admin-access.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import type { Done, Outcome } from '../audit/audit.service.js';
import { ClosingService } from './closing.service.js';
import { renderDispatch } from './dispatch-page.js';
import { wrongPlace } from './wrong-place.js';
import { DispatchService, pageOf, viewOf } from './dispatch.service.js';
import { renderDriver, renderDrivers } from './drivers-page.js';
import { DriversService, type NewLink } from './drivers.service.js';

const ROLE = 'despacho';

/** The filters that an address may have. */
const FILTERS = ['municipio', 'departamento', 'estado', 'piloto', 'mapa'] as const;

/** What dispatchers do: which driver brings which guides, drivers and their links. */
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
    const { outcome } = await this.dispatch.assign(form, viewOf(query).filter);
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
      return toLabelFile(await this.dispatch.labels(form, viewOf(query).filter, deadline));
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
  async driver(
    @CurrentVisitor() user: StaffUser,
    @Param('id') id: string,
    @QueryTexts() { cursor }: Form,
  ): Promise<string> {
    return renderDriver({
      user,
      driver: await this.drivers.find(id),
      balance: await this.drivers.balance(id, cursor),
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

  @PageForm({ path: 'despacho/pilotos/:id/saldo', who: 'staff', need: ROLE })
  async moveBalance(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, 'saldo', await this.drivers.move(form, id));
  }

  @PageForm({ path: 'despacho/pilotos/:id/activar', who: 'staff', need: ROLE })
  async activate(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, 'activo', await this.drivers.activate(form, id, true));
  }

  @PageForm({ path: 'despacho/pilotos/:id/desactivar', who: 'staff', need: ROLE })
  async deactivate(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, 'activo', await this.drivers.activate(form, id, false));
  }

  private async page(user: StaffUser, sent: Form, chosen: string[], outcome?: Outcome): Promise<string> {
    const view = viewOf(sent);
    const query = Object.fromEntries(FILTERS.map((name) => [name, sent[name]?.slice(0, 120) ?? '']));
    const [board, drivers] = await Promise.all([this.dispatch.board(view, chosen), this.closing.drivers()]);
    const wrong = wrongPlace(view.filter, board.lugares, this.config.defaultCountry);
    return renderDispatch({ user, view, query, ...board, drivers, tiles: this.config.tiles, outcome, wrong });
  }

  private async driverPage(
    user: StaffUser,
    id: string,
    form: 'datos' | 'enlace' | 'activo' | 'saldo',
    done: Done<unknown>,
  ): Promise<string> {
    const driver = await this.drivers.find(id);
    const newLink = form === 'enlace' ? (done.made as NewLink | undefined) : undefined;
    return renderDriver({
      user,
      driver,
      balance: await this.drivers.balance(id),
      zone: this.zone,
      country: this.config.defaultCountry,
      newLink,
      sent: { form, done },
    });
  }
}
