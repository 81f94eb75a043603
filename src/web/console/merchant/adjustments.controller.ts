import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { PageForm } from '../../kit/page-routes.js';
import type { StaffUser } from '../admin-access.js';
import type { Done } from '../audit/audit.service.js';
import { AdjustmentsService } from './adjustments.service.js';
import { MerchantOverviewService } from './merchant-overview.service.js';
import { renderMerchant } from './merchant-page.js';

const ROLE = 'despacho';

/** Staff's adjustments of what a merchant is paid, on the merchant's page. */
@ApiExcludeController()
@Controller('admin/comercios/:comercio/ajustes')
export class AdjustmentsController {
  constructor(
    private readonly adjustments: AdjustmentsService,
    private readonly overviews: MerchantOverviewService,
  ) {}

  @PageForm({ who: 'staff', need: ROLE })
  async create(@Param('comercio') comercio: string, @SentForm() form: Sent<StaffUser>): Promise<string> {
    const done = await this.adjustments.create(form, comercio);
    return this.page(form.by, comercio, done, done.typed);
  }

  @PageForm({ path: ':ajuste/quitar', who: 'staff', need: ROLE })
  async remove(
    @Param('comercio') comercio: string,
    @Param('ajuste') ajuste: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<string> {
    return this.page(form.by, comercio, await this.adjustments.remove(form, comercio, ajuste));
  }

  private async page(
    user: StaffUser,
    comercio: string,
    { outcome }: Done<undefined>,
    typed?: Done<undefined>['typed'],
  ): Promise<string> {
    return renderMerchant({ user, outcome, typed, ...(await this.overviews.load(comercio)) });
  }
}
