import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { CurrentStaff, SentForm, StaffQuery, type Form, type Sent } from '../current-staff.js';
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
  async viewPhone(@Param('guia') guia: string, @SentForm() form: Sent): Promise<string> {
    await this.actions.viewPhone(form, guia);
    const overview = await this.overviews.load(guia);
    return renderGuia({
      user: form.user,
      outcome: undefined,
      ...overview,
      showsPhone: true,
      showsAll: false,
    });
  }

  @StaffPost('reenviar')
  async resend(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.resendMessage(form, guia));
  }

  @StaffPost('mensajes/:mensaje/enviar')
  async sendNow(
    @Param('guia') guia: string,
    @Param('mensaje') mensaje: string,
    @SentForm() form: Sent,
  ): Promise<Back> {
    return toGuia(guia, await this.actions.sendNow(form, guia, mensaje));
  }

  @StaffPost('deshacer')
  async undo(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.undo(form, guia, form.fields.motivo));
  }

  @StaffPost('niega')
  async deny(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.deny(form, guia));
  }

  @StaffPost('baja')
  async optOut(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.optOut(form, guia));
  }

  @StaffPost('telefono')
  async correctPhone(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.correctPhone(form, guia, form.fields.telefono));
  }

  @StaffPost('destino')
  async correctDestination(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.correctDestination(form, guia, form.fields.lugar));
  }

  @StaffPost('notas')
  async writeNote(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.writeNote(form, guia, form.fields.texto));
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
    @Param('guia') guia: string,
    @Param('webhook') webhookId: string,
    @Param('aviso') aviso: string,
    @SentForm() form: Sent,
  ): Promise<Back> {
    return toGuia(guia, await this.actions.resendDelivery(form, guia, webhookId, aviso));
  }
}

/** The guide's page, which shows the action's outcome. */
function toGuia(guia: string, id: string): Back {
  return back(`/admin/guias/${guia}`, id);
}
