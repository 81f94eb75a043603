import { Controller, Param, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../../platform/config/env.js';
import { csvFile } from '../../../platform/http/csv-answer.js';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { pageAnswer, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import type { StaffUser } from '../admin-access.js';
import type { Done } from '../audit/audit.service.js';
import { renderClosing } from './closing-page.js';
import { CLOSING } from '../closing-paths.js';
import { ClosingService } from './closing.service.js';

const ROLE = 'despacho';

@ApiExcludeController()
@Controller('admin/despacho/cierre')
export class ClosingController {
  constructor(
    private readonly closing: ClosingService,
    private readonly config: Config,
  ) {}

  @Page({ who: 'staff', need: ROLE })
  async show(@CurrentVisitor() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return this.page(user, query);
  }

  @Page({ path: 'pilotos.csv', who: 'staff', need: ROLE })
  async dayFile(@QueryTexts() { dia }: Form): Promise<StreamableFile> {
    const today = new Date().toLocaleDateString('sv', { timeZone: timeZoneOf(this.config.defaultCountry) });
    return csvFile(`cierre-${dia ?? today}`, await this.closing.dayCsv(dia));
  }

  @Page({ path: 'liquidaciones.csv', who: 'staff', need: ROLE })
  async settlementsFile(): Promise<StreamableFile> {
    return csvFile('liquidaciones', await this.closing.settlementsCsv());
  }

  @Page({ path: 'liquidaciones/:id/guias.csv', who: 'staff', need: ROLE })
  async settlementFile(@Param('id') id: string): Promise<StreamableFile> {
    return csvFile(`liquidacion-${id}`, await this.closing.guiasCsv(id));
  }

  @PageForm({ path: 'pilotos/:id/caja', who: 'staff', need: ROLE })
  async handOver(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    return this.page(form.by, query, `pilotos/${id}/caja`, await this.closing.handOver(form, id));
  }

  @PageForm({ path: 'comercios/:id/liquidar', who: 'staff', need: ROLE })
  async settle(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @QueryTexts() query: Form,
  ): Promise<PageAnswer> {
    const done = await this.closing.settle(form, id);
    const isOther = done.typed?.faults.some(({ campo }) => campo === 'neto') === true;
    return pageAnswer(await this.page(form.by, query, `comercios/${id}/liquidar`, done), isOther ? 422 : 200);
  }

  @PageForm({ path: 'liquidaciones/:id/pagar', who: 'staff', need: ROLE })
  async pay(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    return this.page(form.by, query, `liquidaciones/${id}/pagar`, await this.closing.pay(form, id));
  }

  /** @param path of the form that led here, which ended so. */
  private async page(user: StaffUser, query: Form, path?: string, done?: Done<unknown>): Promise<string> {
    return renderClosing({
      ...(await this.closing.load(query.dia, query.liquidar)),
      ...{ user, query, country: this.config.defaultCountry },
      ...(path !== undefined && done && { sent: { action: `${CLOSING}/${path}`, done } }),
    });
  }
}
