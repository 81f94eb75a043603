import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { mayAct } from '../../../platform/config/board-users.js';
import { isGuiaEstado } from '../../../guias/guia/guia-estado.js';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { seeOther, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { MerchantClosingService } from './merchant-closing.service.js';
import { MerchantOverviewService } from './merchant-overview.service.js';
import { renderMerchantGuias } from './merchant-lists-page.js';
import { renderMerchant } from './merchant-page.js';

/** The page of a merchant, who is closed and opened again there. */
@ApiExcludeController()
@Controller('admin/comercios/:comercio')
export class MerchantSupportController {
  constructor(
    private readonly overviews: MerchantOverviewService,
    private readonly closings: MerchantClosingService,
    private readonly audit: AuditService,
  ) {}

  @Page({ who: 'staff', need: 'lectura' })
  async show(
    @CurrentVisitor() user: StaffUser,
    @Param('comercio') comercio: string,
    @QueryTexts() { hecho, ajustes }: Form,
  ): Promise<string> {
    const overview = await this.overviews.load(comercio, ajustes);
    const outcome = await this.audit.outcomeOf(hecho, user);
    const closing = mayAct(user, 'admin') ? await this.closings.outlook(overview.merchant) : undefined;
    return renderMerchant({ user, outcome, closing, ...overview });
  }

  @Page({ path: 'guias', who: 'staff', need: 'lectura' })
  async listGuias(
    @CurrentVisitor() user: StaffUser,
    @Param('comercio') comercio: string,
    @QueryTexts() { ver, cursor }: Form,
  ): Promise<string> {
    const vista = isGuiaEstado(ver) ? ver : 'sin-confirmar';
    return renderMerchantGuias({ user, vista, ...(await this.overviews.guias(comercio, vista, cursor)) });
  }

  @PageForm({ path: 'cerrar', who: 'staff', need: 'admin' })
  async close(@Param('comercio') comercio: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    const merchant = await this.overviews.find(comercio);
    return toMerchantPage(comercio, await this.closings.close(form, merchant));
  }

  @PageForm({ path: 'reabrir', who: 'staff', need: 'admin' })
  async reopen(@Param('comercio') comercio: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    const merchant = await this.overviews.find(comercio);
    return toMerchantPage(comercio, await this.closings.reopen(form, merchant));
  }
}

/** The top of the merchant's page, which shows the action's outcome. */
function toMerchantPage(comercio: string, id: string): PageAnswer {
  return seeOther(`/admin/comercios/${comercio}?hecho=${id}`);
}
