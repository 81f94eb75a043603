import { Controller, HttpStatus, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Config } from '../../../config/env.js';
import { QueryTexts } from '../../../http/form-texts.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { CurrentStaff, SentForm, type Form, type Sent } from '../current-staff.js';
import { back, StaffGet, StaffPost, StaffPostPage, type Back } from '../staff-routes.js';
import { renderDelivery } from './delivery-page.js';
import { GuiaActionsService } from './guia-actions.service.js';
import type { RefusedForm } from './guia-actions.js';
import { GuiaOverviewService, type GuiaOverview } from './guia-overview.service.js';
import { renderGuia } from './guia-page.js';
import { vistaOf } from './story.js';

/** The reply is still Nest's. */
const PASSED = { passthrough: true };

/** The page of a guide, and support's actions on it. */
@ApiExcludeController()
@Controller('admin/guias/:guia')
export class GuiaSupportController {
  constructor(
    private readonly overviews: GuiaOverviewService,
    private readonly actions: GuiaActionsService,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  /** The board's jobs link to it. */
  @StaffGet()
  async show(
    @CurrentStaff() user: StaffUser,
    @Param('guia') guia: string,
    @QueryTexts() { hecho, todo, ver }: Form,
  ): Promise<string> {
    const outcome = await this.audit.outcomeOf(hecho, user);
    return this.render(guia, { user, outcome, vista: vistaOf(ver), showsAll: todo !== undefined });
  }

  /** Not a redirect: a page with the phone must have no URL that could be opened without an audit entry. */
  @StaffPostPage('ver-telefono')
  async viewPhone(@Param('guia') guia: string, @SentForm() form: Sent): Promise<string> {
    await this.actions.viewPhone(form, guia);
    return this.render(guia, { user: form.user, showsPhone: true });
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

  @StaffPost('niega')
  async deny(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.deny(form, guia));
  }

  @StaffPost('baja')
  async optOut(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.optOut(form, guia));
  }

  @StaffPostPage('deshacer')
  async undo(
    @Param('guia') guia: string,
    @SentForm() form: Sent,
    @Res(PASSED) reply: FastifyReply,
  ): Promise<string> {
    const { motivo = '', visto } = form.fields;
    const id = await this.actions.undo(form, guia, motivo, visto);
    return this.backOrOpen(reply, guia, form, id, { form: 'deshacer', typed: motivo });
  }

  @StaffPost('aplicar', 'despacho')
  async apply(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.apply(form, guia, form.fields.evento));
  }

  @StaffPostPage('telefono')
  async correctPhone(
    @Param('guia') guia: string,
    @SentForm() form: Sent,
    @Res(PASSED) reply: FastifyReply,
  ): Promise<string> {
    const { telefono = '' } = form.fields;
    const id = await this.actions.correctPhone(form, guia, telefono);
    return this.backOrOpen(reply, guia, form, id, { form: 'telefono', typed: telefono });
  }

  @StaffPostPage('destino')
  async correctDestination(
    @Param('guia') guia: string,
    @SentForm() form: Sent,
    @Res(PASSED) reply: FastifyReply,
  ): Promise<string> {
    const { lugar = '' } = form.fields;
    const id = await this.actions.correctDestination(form, guia, lugar);
    return this.backOrOpen(reply, guia, form, id, { form: 'destino', typed: lugar });
  }

  @StaffPostPage('notas')
  async writeNote(
    @Param('guia') guia: string,
    @SentForm() form: Sent,
    @Res(PASSED) reply: FastifyReply,
  ): Promise<string> {
    const { texto = '' } = form.fields;
    const id = await this.actions.writeNote(form, guia, texto);
    return this.backOrOpen(reply, guia, form, id, { form: 'notas', typed: texto });
  }

  @StaffPost('advertencias')
  async seeWarning(@Param('guia') guia: string, @SentForm() form: Sent): Promise<Back> {
    return toGuia(guia, await this.actions.seeWarning(form, guia, form.fields.codigo));
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

  /** Leads to the guide's page; a refused form is shown again with what was typed into it. */
  private async backOrOpen(
    reply: FastifyReply,
    guia: string,
    { user }: Sent,
    auditId: string,
    sent: Omit<RefusedForm, 'fault'>,
  ): Promise<string> {
    const outcome = await this.audit.outcomeOf(auditId, user);
    if (outcome?.resultado !== 'rechazado') {
      const { url, statusCode } = toGuia(guia, auditId);
      void reply.status(statusCode).header('location', url);
      return '';
    }
    void reply.status(HttpStatus.UNPROCESSABLE_ENTITY);
    return this.render(guia, { user, refused: { ...sent, fault: outcome.nota ?? '' } });
  }

  private async render(
    guia: string,
    shown: { user: StaffUser } & Partial<Omit<Parameters<typeof renderGuia>[0], 'user' | keyof GuiaOverview>>,
  ): Promise<string> {
    const plain = {
      outcome: undefined,
      showsPhone: false,
      showsAll: false,
      vista: 'todo' as const,
      refused: undefined,
    };
    return renderGuia({ ...plain, ...(await this.overviews.load(guia)), tiles: this.config.tiles, ...shown });
  }
}

/** The guide's page, which shows the action's outcome. */
function toGuia(guia: string, id: string): Back {
  return back(`/admin/guias/${guia}`, id);
}
