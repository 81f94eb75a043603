import { Controller, HttpStatus, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { renderBulk } from '../bulk/bulk-page.js';
import { BulkService } from '../bulk/bulk.service.js';
import { CurrentStaff, SentForm, StaffQuery, type Form, type Sent } from '../current-staff.js';
import { back, StaffGet, StaffPost, type Back } from '../staff-routes.js';
import { renderCausa } from './causes-page.js';
import { CausesService } from './causes.service.js';

/** The guides of a cause, and what staff does with all of them. */
@ApiExcludeController()
@Controller('admin')
export class CausesController {
  constructor(
    private readonly causes: CausesService,
    private readonly bulk: BulkService,
    private readonly audit: AuditService,
  ) {}

  @StaffGet('causas/:causa')
  async showCausa(
    @CurrentStaff() user: StaffUser,
    @Param('causa') causa: string,
    @StaffQuery() { comercio, desde, hecho }: Form,
  ): Promise<string> {
    const [page, recent, outcome] = await Promise.all([
      this.causes.page(causa, comercio, desde),
      this.bulk.recent(),
      this.audit.outcomeOf(hecho, user),
    ]);
    return renderCausa({ user, page, recent, outcome });
  }

  @StaffPost('causas/:causa')
  async begin(@Param('causa') causa: string, @SentForm() form: Sent): Promise<Back> {
    const { comercio, accion, texto } = form.fields;
    const { auditId, masivaId } = await this.bulk.begin(form, { causa, comercio, accion, texto });
    const outcome = await this.audit.outcomeOf(auditId, form.user);
    // A refused note leads back to where it was typed; what runs has a page of its own.
    if (masivaId === null || outcome?.resultado === 'rechazado') return back('/admin', auditId);
    return { url: `/admin/masivas/${masivaId}`, statusCode: HttpStatus.SEE_OTHER };
  }

  @StaffGet('masivas/:id')
  async showBulk(@CurrentStaff() user: StaffUser, @Param('id') id: string): Promise<string> {
    return renderBulk({ user, ...(await this.bulk.find(id)) });
  }
}
