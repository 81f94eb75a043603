import { Controller, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Database } from '../../platform/database/database.js';
import { parkedEventos } from '../../platform/events/outbox.queries.js';
import { Config } from '../../platform/config/env.js';
import { QueryTexts, type Form } from '../../platform/http/form-texts.js';
import { findAsset, type AssetRequest } from '../kit/assets.js';
import { SentForm, type Sent } from '../kit/forms/sent-form.js';
import { seeOther, type PageAnswer } from '../kit/page-answer.js';
import { timeZoneOf } from '../../platform/validation/time-zone.js';
import type { StaffUser } from './admin-access.js';
import { renderAudit } from './pages/audit-page.js';
import { AuditService } from './audit/audit.service.js';
import { BulkService } from './bulk/bulk.service.js';
import { LIST_SIZE, renderParkedEventos } from './parked/parked-eventos-page.js';
import { renderSearch } from './search/search-page.js';
import { SearchService } from './search/search.service.js';
import { CurrentVisitor, Page, PageForm } from '../kit/page-routes.js';
import { renderToday, viewOf } from './today/today-page.js';
import { TodayService } from './today/today.service.js';

/** The console's own pages. `protectAdmin` asks for a password; without board users they do not exist. */
@ApiExcludeController()
@Controller('admin')
export class SupportController {
  private readonly zone: string;

  constructor(
    private readonly today: TodayService,
    private readonly bulk: BulkService,
    private readonly search: SearchService,
    private readonly database: Database,
    private readonly audit: AuditService,
    { defaultCountry }: Config,
  ) {
    this.zone = timeZoneOf(defaultCountry);
  }

  @Page({ who: 'staff', need: 'lectura' })
  async showToday(
    @CurrentVisitor() user: StaffUser,
    @QueryTexts() { ver, comercio = '', hecho }: Form,
  ): Promise<string> {
    const [today, recent, outcome] = await Promise.all([
      this.today.load(),
      this.bulk.recent(),
      this.audit.outcomeOf(hecho, user),
    ]);
    return renderToday({ user, today, recent, outcome, zone: this.zone, view: viewOf(ver), comercio });
  }

  @Page({ path: 'buscar', who: 'staff', need: 'lectura' })
  showSearch(@CurrentVisitor() user: StaffUser): Promise<string> {
    return renderSearch({ user, search: { q: '', comercio: '' } });
  }

  /** Posted, so that no phone stands in an address; changes nothing. Leads to the guide that is named, where it is one. */
  @PageForm({ path: 'buscar', who: 'staff', need: 'lectura' })
  async find(@SentForm() { by: user, fields }: Sent<StaffUser>): Promise<string | PageAnswer> {
    const search = { q: fields.q?.trim() ?? '', comercio: fields.comercio?.trim() ?? '' };
    const { only, ...results } = await this.search.find(user, search.q, search.comercio);
    if (only !== undefined) return seeOther(`/admin/guias/${only}`);
    return renderSearch({ user, search, results, numbers: results.numbers, zone: this.zone });
  }

  /** Answered by a page, and not by a redirect, whose address would have to name the phone. */
  @PageForm({ path: 'buscar/baja', who: 'staff', need: 'soporte' })
  optOut(@SentForm() form: Sent<StaffUser>): Promise<string> {
    return this.afterOptOut(form, true);
  }

  @PageForm({ path: 'buscar/alta', who: 'staff', need: 'soporte' })
  optIn(@SentForm() form: Sent<StaffUser>): Promise<string> {
    return this.afterOptOut(form, false);
  }

  private async afterOptOut(form: Sent<StaffUser>, isOut: boolean): Promise<string> {
    const { by: user, fields } = form;
    const { telefono = '' } = fields;
    const outcome = await this.audit.outcomeOf(await this.search.setOptOut(form, telefono, isOut), user);
    const numbers = await this.search.numbersOf({ telefonos: [telefono] });
    return renderSearch({ user, outcome, search: { q: telefono, comercio: '' }, numbers, zone: this.zone });
  }

  @Page({ path: 'eventos', who: 'staff', need: 'lectura' })
  async listParkedEventos(@CurrentVisitor() user: StaffUser): Promise<string> {
    return renderParkedEventos(user, await this.database.staff.rows(parkedEventos(LIST_SIZE)));
  }

  @Page({ path: 'auditoria', who: 'staff', need: 'lectura' })
  async listActions(@CurrentVisitor() user: StaffUser, @QueryTexts() { antes }: Form): Promise<string> {
    return renderAudit({ user, ...(await this.audit.list(antes)), zone: this.zone });
  }

  @Page({ path: 'assets/:name', who: 'staff', need: 'lectura' })
  asset(@Req() request: AssetRequest): Promise<PageAnswer> {
    return findAsset(request.params.name, request);
  }
}
