import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import type { StaffUser } from '../admin-access.js';
import { ClosingService } from './closing.service.js';
import { renderSettlement, renderSettlements } from './settlements-page.js';
import { SettlementsService } from './settlements.service.js';

const ROLE = 'despacho';

/** Settlements that were made, and their payments. */
@ApiExcludeController()
@Controller('admin/despacho/liquidaciones')
export class SettlementsController {
  constructor(
    private readonly settlements: SettlementsService,
    private readonly closing: ClosingService,
  ) {}

  @Page({ who: 'staff', need: ROLE })
  async list(@CurrentVisitor() user: StaffUser, @QueryTexts() { comercio, cursor }: Form): Promise<string> {
    return renderSettlements(user, await this.settlements.list(comercio, cursor));
  }

  @Page({ path: ':id', who: 'staff', need: ROLE })
  async show(
    @CurrentVisitor() user: StaffUser,
    @Param('id') id: string,
    @QueryTexts() { cursor, ajustes }: Form,
  ): Promise<string> {
    return renderSettlement(user, await this.settlements.find(id, cursor, ajustes));
  }

  @PageForm({ path: ':id/pagar', who: 'staff', need: ROLE })
  async pay(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    const done = await this.closing.pay(form, id);
    return renderSettlement(form.by, await this.settlements.find(id), done);
  }

  @PageForm({ path: ':id/referencia', who: 'staff', need: ROLE })
  async correctPayment(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    const done = await this.settlements.correctPayment(form, id);
    return renderSettlement(form.by, await this.settlements.find(id), done);
  }
}
