import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { CurrentStaff, SentForm, StaffQuery, type Form } from '../current-staff.js';
import { back, StaffGet, StaffPost, StaffPostPage, type Back } from '../staff-routes.js';
import { renderDelivery } from './delivery-page.js';
import { GuiaActionsService } from './guia-actions.service.js';
import { GuiaOverviewService } from './guia-overview.service.js';
import { renderGuia } from './guia-page.js';

/** The page of a guide, and support's actions on it. */
@ApiExcludeController()
@Controller('admin/guias/:guia')
export class GuiaSupportController {
  constructor(
    private readonly overviews: GuiaOverviewService,
    private readonly actions: GuiaActionsService,
    private readonly audit: AuditService,
  ) {}

  /** The board's jobs link to it. */
  @StaffGet()
  async show(
    @CurrentStaff() user: StaffUser,
    @Param('guia') guia: string,
    @StaffQuery() { hecho, todo }: Form,
  ): Promise<string> {
    const overview = await this.overviews.load(guia);
    const outcome = await this.audit.outcomeOf(hecho, user);
    return renderGuia({ user, outcome, ...overview, showsPhone: false, showsAll: todo !== undefined });
  }

  /** Not a redirect: a page with the phone must have no URL that could be opened without an audit entry. */
  @StaffPostPage('ver-telefono')
  async viewPhone(
    @CurrentStaff() user: StaffUser,
    @Param('guia') guia: string,
    @SentForm() { clave }: Form,
  ): Promise<string> {
    await this.actions.viewPhone({ user, clave }, guia);
    const overview = await this.overviews.load(guia);
    return renderGuia({ user, outcome: undefined, ...overview, showsPhone: true, showsAll: false });
  }

  @StaffPost('reenviar')
  async resend(
    @CurrentStaff() user: StaffUser,
    @Param('guia') guia: string,
    @SentForm() { clave }: Form,
  ): Promise<Back> {
    return back(`/admin/guias/${guia}`, await this.actions.resendMessage({ user, clave }, guia));
  }

  @StaffPost('telefono')
  async correctPhone(
    @CurrentStaff() user: StaffUser,
    @Param('guia') guia: string,
    @SentForm() { clave, telefono }: Form,
  ): Promise<Back> {
    return back(`/admin/guias/${guia}`, await this.actions.correctPhone({ user, clave }, guia, telefono));
  }

  @StaffPost('destino')
  async correctDestination(
    @CurrentStaff() user: StaffUser,
    @Param('guia') guia: string,
    @SentForm() { clave, lugar }: Form,
  ): Promise<Back> {
    const id = await this.actions.correctDestination({ user, clave }, guia, lugar);
    return back(`/admin/guias/${guia}`, id);
  }

  @StaffPost('notas')
  async writeNote(
    @CurrentStaff() user: StaffUser,
    @Param('guia') guia: string,
    @SentForm() { clave, texto }: Form,
  ): Promise<Back> {
    return back(`/admin/guias/${guia}`, await this.actions.writeNote({ user, clave }, guia, texto));
  }

  @StaffGet('avisos/:webhook/:aviso')
  async showDelivery(
    @CurrentStaff() user: StaffUser,
    @Param('guia') guia: string,
    @Param('webhook') webhookId: string,
    @Param('aviso') aviso: string,
  ): Promise<string> {
    return renderDelivery({
      user,
      guia,
      webhookId,
      ...(await this.overviews.delivery(guia, webhookId, aviso)),
    });
  }

  @StaffPost('avisos/:webhook/:aviso')
  async resendDelivery(
    @CurrentStaff() user: StaffUser,
    @Param('guia') guia: string,
    @Param('webhook') webhookId: string,
    @Param('aviso') aviso: string,
    @SentForm() { clave }: Form,
  ): Promise<Back> {
    const id = await this.actions.resendDelivery({ user, clave }, guia, webhookId, aviso);
    return back(`/admin/guias/${guia}`, id);
  }
}
