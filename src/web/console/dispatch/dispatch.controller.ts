import {
  Controller,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../../auth/decorators.js';
import { Config } from '../../../config/env.js';
import { toLabelFile } from '../../../etiquetas/etiquetas.controller.js';
import { AppError } from '../../../errors/app-error.js';
import { PageAnswer, PageAnswerInterceptor } from '../../kit/page-answer.js';
import { csvFile } from '../../../http/csv-answer.js';
import { AnswerDeadline } from '../../../http/answer-limit.js';
import { timeZoneOf } from '../../../validation/time-zone.js';
import { QueryTexts, valuesIn } from '../../../http/form-texts.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { CurrentStaff, SentForm, type Form, type Sent } from '../current-staff.js';
import type { Done } from '../audit/forms.service.js';
import { StaffGet, StaffPostPage } from '../staff-routes.js';
import { CLOSING, renderClosing } from './closing-page.js';
import { ClosingService } from './closing.service.js';
import { renderDispatch } from './dispatch-page.js';
import { wrongPlace } from './wrong-place.js';
import { DispatchService, pageOf, viewOf } from './dispatch.service.js';
import { renderDriver, renderDrivers } from './drivers-page.js';
import { DriversService, type NewLink } from './drivers.service.js';

const ROLE = 'despacho';

/** The filters that an address may have. */
const FILTERS = ['municipio', 'departamento', 'estado', 'piloto', 'mapa'] as const;

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

  @StaffGet('despacho', ROLE)
  async board(@CurrentStaff() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return this.page(user, query, []);
  }

  /** Adds a guide to the selection; changes nothing. */
  @StaffPostPage('despacho/elegir', ROLE, 'guias')
  async choose(@SentForm() { user, fields }: Sent, @QueryTexts() query: Form): Promise<string> {
    const scanned = fields.g?.trim() ?? '';
    return this.page(user, query, [...(scanned === '' ? [] : [scanned]), ...valuesIn(fields.guias)]);
  }

  @StaffPostPage('despacho/asignar', ROLE, 'guias')
  async assign(@SentForm() form: Sent, @QueryTexts() query: Form): Promise<string> {
    const { outcome } = await this.dispatch.assign(form, viewOf(query).filter);
    const isDone = outcome?.resultado === 'hecho';
    return this.page(form.user, query, isDone ? [] : valuesIn(form.fields.guias), outcome);
  }

  /** Changes nothing. */
  @Post('despacho/etiquetas')
  @HttpCode(HttpStatus.OK)
  @UseInterceptors(PageAnswerInterceptor)
  @Public({ takesForm: true, staffRole: ROLE, formList: 'guias' })
  async labels(
    @SentForm() form: Sent,
    @QueryTexts() query: Form,
    @AnswerDeadline() deadline: number,
  ): Promise<StreamableFile | PageAnswer> {
    try {
      return toLabelFile(await this.dispatch.labels(form, viewOf(query).filter, deadline));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      // What was chosen stays so.
      const outcome = { resultado: 'rechazado' as const, nota: error.detail };
      const page = await this.page(form.user, query, valuesIn(form.fields.guias), outcome);
      return new PageAnswer(page, { 'Content-Type': 'text/html; charset=utf-8' }, error.status);
    }
  }

  @StaffGet('despacho/pilotos', ROLE)
  async driverList(@CurrentStaff() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return renderDrivers({
      user,
      drivers: await this.closing.drivers(),
      zone: this.zone,
      page: pageOf(query.pagina),
    });
  }

  @StaffPostPage('despacho/pilotos', ROLE)
  async createDriver(@SentForm() form: Sent): Promise<string> {
    const done = await this.drivers.create(form);
    if (done.made) return this.driverPage(form, done.made.id, 'datos', done);
    const drivers = await this.closing.drivers();
    return renderDrivers({ user: form.user, drivers, zone: this.zone, page: 1, refused: done });
  }

  @StaffGet('despacho/pilotos/:id', ROLE)
  async driver(@CurrentStaff() user: StaffUser, @Param('id') id: string): Promise<string> {
    return renderDriver({
      user,
      driver: await this.drivers.find(id),
      zone: this.zone,
      country: this.config.defaultCountry,
    });
  }

  @StaffPostPage('despacho/pilotos/:id', ROLE)
  async updateDriver(@SentForm() form: Sent, @Param('id') id: string): Promise<string> {
    return this.driverPage(form, id, 'datos', await this.drivers.update(form, id));
  }

  @StaffPostPage('despacho/pilotos/:id/enlace', ROLE)
  async link(@SentForm() form: Sent, @Param('id') id: string): Promise<string> {
    return this.driverPage(form, id, 'enlace', await this.drivers.link(form, id));
  }

  @StaffPostPage('despacho/pilotos/:id/activar', ROLE)
  async activate(@SentForm() form: Sent, @Param('id') id: string): Promise<string> {
    return this.driverPage(form, id, 'activo', await this.drivers.activate(form, id, true));
  }

  @StaffPostPage('despacho/pilotos/:id/desactivar', ROLE)
  async deactivate(@SentForm() form: Sent, @Param('id') id: string): Promise<string> {
    return this.driverPage(form, id, 'activo', await this.drivers.activate(form, id, false));
  }

  @StaffGet('despacho/cierre', ROLE)
  async close(@CurrentStaff() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return renderClosing({ user, ...(await this.closing.load()), query });
  }

  @Get('despacho/cierre/pilotos.csv')
  @Public({ staffRole: ROLE })
  async closeFile(@CurrentStaff() _user: StaffUser): Promise<StreamableFile> {
    const day = new Date().toLocaleDateString('sv', { timeZone: this.zone });
    return csvFile(`cierre-${day}`, await this.closing.dayCsv());
  }

  @Get('despacho/cierre/liquidaciones.csv')
  @Public({ staffRole: ROLE })
  async settlementsFile(@CurrentStaff() _user: StaffUser): Promise<StreamableFile> {
    return csvFile('liquidaciones', await this.closing.settlementsCsv());
  }

  @Get('despacho/cierre/liquidaciones/:id/guias.csv')
  @Public({ staffRole: ROLE })
  async settlementFile(@CurrentStaff() _user: StaffUser, @Param('id') id: string): Promise<StreamableFile> {
    return csvFile(`liquidacion-${id}`, await this.closing.guiasCsv(id));
  }

  @StaffPostPage('despacho/cierre/pilotos/:id/caja', ROLE)
  async handOver(
    @SentForm() form: Sent,
    @Param('id') id: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    return this.closingPage(form, query, `pilotos/${id}/caja`, await this.closing.handOver(form, id));
  }

  @StaffPostPage('despacho/cierre/comercios/:id/liquidar', ROLE)
  async settle(@SentForm() form: Sent, @Param('id') id: string, @QueryTexts() query: Form): Promise<string> {
    return this.closingPage(form, query, `comercios/${id}/liquidar`, await this.closing.settle(form, id));
  }

  @StaffPostPage('despacho/cierre/liquidaciones/:id/pagar', ROLE)
  async pay(@SentForm() form: Sent, @Param('id') id: string, @QueryTexts() query: Form): Promise<string> {
    return this.closingPage(form, query, `liquidaciones/${id}/pagar`, await this.closing.pay(form, id));
  }

  private async page(user: StaffUser, sent: Form, chosen: string[], outcome?: Outcome): Promise<string> {
    const view = viewOf(sent);
    const query = Object.fromEntries(FILTERS.map((name) => [name, sent[name]?.slice(0, 120) ?? '']));
    const [board, drivers] = await Promise.all([this.dispatch.board(view, chosen), this.closing.drivers()]);
    const wrong = wrongPlace(view.filter, board.lugares, this.config.defaultCountry);
    return renderDispatch({ user, view, query, ...board, drivers, tiles: this.config.tiles, outcome, wrong });
  }

  private async driverPage(
    { user }: Sent,
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

  private async closingPage({ user }: Sent, query: Form, path: string, done: Done<unknown>): Promise<string> {
    const sent = { action: `${CLOSING}/${path}`, done };
    return renderClosing({ user, ...(await this.closing.load()), query, sent });
  }
}
