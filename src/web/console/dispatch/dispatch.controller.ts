import { Controller, Param, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../../platform/config/env.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { toLabelFile } from '../../../etiquetas/etiquetas.controller.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { pageIn, QueryTexts, valuesIn, type Form } from '../../../platform/http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { pageAnswer, PageAnswer } from '../../kit/page-answer.js';
import { AnswerDeadline } from '../../../platform/http/answer-limit.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { withQuery } from '../../kit/with-query.js';
import type { StaffUser } from '../admin-access.js';
import { renderAsk } from '../bulk/ask-page.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import type { Done, Outcome } from '../audit/audit.service.js';
import { MAX_VARIAS, RegistrarService } from '../guia/registrar.service.js';
import { renderRegistradas, renderRegistrar } from './registrar-page.js';
import { ClosingService } from './closing.service.js';
import { DISPATCH, renderDispatch } from './dispatch-page.js';
import { wrongPlace } from './wrong-place.js';
import { FILTERS, viewOf } from './dispatch-filter.js';
import { DispatchService, PAGE } from './dispatch.service.js';
import { renderDriver, renderDrivers, type SentOfDriver } from './drivers-page.js';
import { DriversService } from './drivers.service.js';

const ROLE = 'despacho';

const ownQuery = (sent: Form) =>
  Object.fromEntries(FILTERS.map((name) => [name, sent[name]?.slice(0, 120) ?? '']));

/** Assignment of guides, drivers and their links. */
@ApiExcludeController()
@Controller('admin')
export class DispatchController {
  private readonly zone: string;

  constructor(
    private readonly dispatch: DispatchService,
    private readonly drivers: DriversService,
    private readonly closing: ClosingService,
    private readonly registrar: RegistrarService,
    private readonly config: Config,
  ) {
    this.zone = timeZoneOf(config.defaultCountry);
  }

  @Page({ path: 'despacho', who: 'staff', need: ROLE })
  async board(@CurrentVisitor() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return this.page(user, query, []);
  }

  /** Guides of up to a hundred scanned numbers, by commas, for the page's script; changes nothing. */
  @Page({ path: 'despacho/escaneadas', who: 'staff', need: ROLE })
  async scanned(@QueryTexts() { guias }: Form): Promise<PageAnswer<string>> {
    const body = JSON.stringify({ guias: await this.dispatch.scanned(valuesIn(guias).slice(0, PAGE)) });
    return new PageAnswer(body, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
    });
  }

  /** Adds a guide to the selection; changes nothing. */
  @PageForm({ path: 'despacho/elegir', who: 'staff', need: ROLE }, { formList: 'guias' })
  async choose(
    @SentForm() { by: user, fields }: Sent<StaffUser>,
    @QueryTexts() query: Form,
  ): Promise<string> {
    const scanned = fields.escaneo?.trim() ?? '';
    return this.page(user, query, [...(scanned === '' ? [] : [scanned]), ...valuesIn(fields.guias)]);
  }

  @PageForm({ path: 'despacho/asignar', who: 'staff', need: ROLE }, { formList: 'guias' })
  async assign(@SentForm() form: Sent<StaffUser>, @QueryTexts() query: Form): Promise<string> {
    if (form.fields.todas !== undefined && form.fields.confirmado !== 'si')
      return this.askToAssign(form, query);
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
      const { status, outcome } = refusalOf(error);
      // What was chosen stays so.
      return pageAnswer(await this.page(form.by, query, valuesIn(form.fields.guias), outcome), status);
    }
  }

  /** Without `estado` it asks what happened. */
  @PageForm({ path: 'despacho/registrar', who: 'staff', need: ROLE }, { formList: 'guias' })
  async register(@SentForm() form: Sent<StaffUser>, @QueryTexts() query: Form): Promise<string | PageAnswer> {
    const own = ownQuery(query);
    const shown = {
      user: form.by,
      action: withQuery(`${DISPATCH}/registrar`, own),
      back: withQuery(DISPATCH, own),
    };
    let guias: string[];
    try {
      guias = await this.dispatch.chosen(form, viewOf(query, this.zone).filter, MAX_VARIAS);
    } catch (error) {
      const { outcome } = refusalOf(error);
      return this.page(form.by, query, valuesIn(form.fields.guias).slice(0, MAX_VARIAS), outcome);
    }
    const ask = async (done?: Done<unknown>) =>
      renderRegistrar({
        ...shown,
        guias,
        rows: await this.dispatch.standing(guias),
        outcome: done?.outcome,
        typed: done?.typed,
      });
    if (form.fields.estado === undefined) return ask();
    const done = await this.registrar.many(form, guias);
    if (done.outcome?.resultado === 'rechazado') return pageAnswer(await ask(done), 422);
    return renderRegistradas({ ...shown, outcome: done.outcome, made: done.made });
  }

  @Page({ path: 'despacho/pilotos', who: 'staff', need: ROLE })
  async driverList(@CurrentVisitor() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return renderDrivers({
      user,
      drivers: await this.closing.drivers(),
      page: pageIn(query),
    });
  }

  @PageForm({ path: 'despacho/pilotos', who: 'staff', need: ROLE })
  async createDriver(@SentForm() form: Sent<StaffUser>): Promise<string> {
    const done = await this.drivers.create(form);
    if (done.made) return this.driverPage(form.by, done.made.id, { form: 'datos', done });
    const drivers = await this.closing.drivers();
    return renderDrivers({ user: form.by, drivers, page: 1, refused: done });
  }

  @Page({ path: 'despacho/pilotos/:id', who: 'staff', need: ROLE })
  async driver(
    @CurrentVisitor() user: StaffUser,
    @Param('id') id: string,
    @QueryTexts() { cursor }: Form,
  ): Promise<string> {
    return this.driverPage(user, id, undefined, cursor);
  }

  @PageForm({ path: 'despacho/pilotos/:id', who: 'staff', need: ROLE })
  async updateDriver(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, { form: 'datos', done: await this.drivers.update(form, id) });
  }

  @PageForm({ path: 'despacho/pilotos/:id/enlace', who: 'staff', need: ROLE })
  async link(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, { form: 'enlace', done: await this.drivers.link(form, id) });
  }

  @PageForm({ path: 'despacho/pilotos/:id/saldo', who: 'staff', need: ROLE })
  async moveBalance(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, { form: 'saldo', done: await this.drivers.move(form, id) });
  }

  @PageForm({ path: 'despacho/pilotos/:id/activar', who: 'staff', need: ROLE })
  async activate(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, {
      form: 'activo',
      done: await this.drivers.activate(form, id, true),
    });
  }

  @PageForm({ path: 'despacho/pilotos/:id/desactivar', who: 'staff', need: ROLE })
  async deactivate(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.driverPage(form.by, id, {
      form: 'activo',
      done: await this.drivers.activate(form, id, false),
    });
  }

  private async askToAssign(form: Sent<StaffUser>, query: Form): Promise<string> {
    const own = ownQuery(query);
    try {
      const asked = await this.dispatch.ask(form, viewOf(query, this.zone).filter);
      const { piloto = '' } = form.fields;
      return await renderAsk({
        user: form.by,
        part: DISPATCH,
        ...asked,
        action: withQuery(`${DISPATCH}/asignar`, own),
        fields: { todas: 'si', piloto },
        back: withQuery(DISPATCH, own),
      });
    } catch (error) {
      return this.page(form.by, query, [], refusalOf(error).outcome);
    }
  }

  private async page(user: StaffUser, sent: Form, chosen: string[], outcome?: Outcome): Promise<string> {
    const view = viewOf(sent, this.zone);
    const query = ownQuery(sent);
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
    sent?: SentOfDriver,
    cursor?: string,
  ): Promise<string> {
    const { zone } = this;
    const country = this.config.defaultCountry;
    return renderDriver({ user, zone, country, sent, ...(await this.drivers.load(id, cursor)) });
  }
}

/** Texts of a refusal. @throws any other error */
function refusalOf(error: unknown): { status: number; outcome: Outcome } {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  return { status: error.status, outcome: { resultado: 'rechazado', nota: error.detail } };
}
