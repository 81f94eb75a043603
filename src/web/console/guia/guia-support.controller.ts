import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { mayAct } from '../../../platform/config/board-users.js';
import { Config } from '../../../platform/config/env.js';
import { nextEstados } from '../../../guias/guia/guia-estado.js';
import type { FieldError } from '../../../platform/errors/app-error.js';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { pageAnswer, seeOther, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { renderDelivery } from './delivery-page.js';
import { GuiaActionsService } from './guia-actions.service.js';
import { GuiaCorrectionsService } from './guia-corrections.service.js';
import type { RefusedForm } from './guia-actions.js';
import { GuiaOverviewService, type GuiaOverview } from './guia-overview.service.js';
import { renderGuia } from './guia-page.js';
import { RegistrarService } from './registrar.service.js';
import { vistaOf } from './story.js';

@ApiExcludeController()
@Controller('admin/guias/:guia')
export class GuiaSupportController {
  constructor(
    private readonly overviews: GuiaOverviewService,
    private readonly actions: GuiaActionsService,
    private readonly corrections: GuiaCorrectionsService,
    private readonly registrar: RegistrarService,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  /** The board's jobs link to it. */
  @Page({ who: 'staff', need: 'lectura' })
  async show(
    @CurrentVisitor() user: StaffUser,
    @Param('guia') guia: string,
    @QueryTexts() { hecho, todo, ver }: Form,
  ): Promise<string> {
    const outcome = await this.audit.outcomeOf(hecho, user);
    return this.render(guia, { user, outcome, vista: vistaOf(ver), showsAll: todo !== undefined });
  }

  /** Not a redirect: a page with the phone must have no URL that could be opened without an audit entry. */
  @PageForm({ path: 'ver-telefono', who: 'staff', need: 'soporte' })
  async viewPhone(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<string> {
    await this.actions.viewPhone(form, guia);
    return this.render(guia, { user: form.by, showsPhone: true });
  }

  @PageForm({ path: 'reenviar', who: 'staff', need: 'soporte' })
  async resend(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return toGuia(guia, await this.actions.resendMessage(form, guia));
  }

  @PageForm({ path: 'mensajes/:mensaje/enviar', who: 'staff', need: 'soporte' })
  async sendNow(
    @Param('guia') guia: string,
    @Param('mensaje') mensaje: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer> {
    return toGuia(guia, await this.actions.sendNow(form, guia, mensaje));
  }

  @PageForm({ path: 'niega', who: 'staff', need: 'soporte' })
  async deny(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return toGuia(guia, await this.actions.deny(form, guia));
  }

  @PageForm({ path: 'baja', who: 'staff', need: 'soporte' })
  async optOut(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return toGuia(guia, await this.actions.optOut(form, guia));
  }

  @PageForm({ path: 'alta', who: 'staff', need: 'soporte' })
  async optIn(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return toGuia(guia, await this.actions.optIn(form, guia));
  }

  @PageForm({ path: 'deshacer', who: 'staff', need: 'soporte' })
  async undo(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return this.backOrOpen(guia, form, await this.corrections.undo(form, guia), 'deshacer', 'motivo');
  }

  @PageForm({ path: 'aplicar', who: 'staff', need: 'despacho' })
  async apply(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return toGuia(guia, await this.corrections.apply(form, guia, form.fields.evento));
  }

  @PageForm({ path: 'registrar', who: 'staff', need: 'despacho' })
  async register(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    const { id, typed } = await this.registrar.one(form, guia);
    return this.backOrOpen(guia, form, id, 'registrar', 'estado', typed?.faults);
  }

  @PageForm({ path: 'cobro', who: 'staff', need: 'despacho' })
  async correctCobro(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return this.backOrOpen(
      guia,
      form,
      await this.corrections.correctCobro(form, guia),
      'cobro',
      'cod_cobrado',
    );
  }

  @PageForm({ path: 'telefono', who: 'staff', need: 'soporte' })
  async correctPhone(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return this.backOrOpen(
      guia,
      form,
      await this.corrections.correctPhone(form, guia),
      'telefono',
      'telefono',
    );
  }

  @PageForm({ path: 'destino', who: 'staff', need: 'soporte' })
  async correctDestination(
    @Param('guia') guia: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer> {
    return this.backOrOpen(
      guia,
      form,
      await this.corrections.correctDestination(form, guia),
      'destino',
      'lugar',
    );
  }

  @PageForm({ path: 'palabras', who: 'staff', need: 'soporte' })
  async correctWords(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return this.backOrOpen(guia, form, await this.corrections.correctWords(form, guia), 'palabras', 'notas');
  }

  @PageForm({ path: 'notas', who: 'staff', need: 'soporte' })
  async writeNote(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return this.backOrOpen(guia, form, await this.actions.writeNote(form, guia), 'notas', 'texto');
  }

  @PageForm({ path: 'advertencias', who: 'staff', need: 'soporte' })
  async seeWarning(@Param('guia') guia: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return toGuia(guia, await this.actions.seeWarning(form, guia, form.fields.codigo));
  }

  @Page({ path: 'avisos/:webhook/:aviso', who: 'staff', need: 'lectura' })
  async showDelivery(
    @CurrentVisitor() user: StaffUser,
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

  @PageForm({ path: 'avisos/:webhook/:aviso', who: 'staff', need: 'soporte' })
  async resendDelivery(
    @Param('guia') guia: string,
    @Param('webhook') webhookId: string,
    @Param('aviso') aviso: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer> {
    return toGuia(guia, await this.actions.resendDelivery(form, guia, webhookId, aviso));
  }

  /**
   * Leads to the guide's page; a refused form is shown again with what was typed, and why beside its fields.
   * @param campo the field of a refusal that names none. @param own the faults that name theirs.
   */
  private async backOrOpen(
    guia: string,
    { by: user, fields }: Sent<StaffUser>,
    auditId: string,
    form: RefusedForm['form'],
    campo: string,
    own: readonly FieldError[] = [],
  ): Promise<PageAnswer> {
    const outcome = await this.audit.outcomeOf(auditId, user);
    if (outcome?.resultado !== 'rechazado') return toGuia(guia, auditId);
    const nota = outcome.nota ?? '';
    const all = [{ campo, codigo: 'formato' as const, mensaje: `No se hizo: ${nota}` }];
    const faults = own.length > 0 ? own : all;
    return pageAnswer(
      await this.render(guia, { user, refused: { form, typed: { fields, faults }, nota } }),
      422,
    );
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
    const overview = await this.overviews.load(guia);
    const isRegistered = mayAct(shown.user, 'despacho') && nextEstados(overview.guia.estado).length > 0;
    const pilotos = isRegistered ? await this.registrar.pilotos() : undefined;
    return renderGuia({ ...plain, ...overview, pilotos, tiles: this.config.tiles, ...shown });
  }
}

/** The guide's page, which shows the action's outcome. */
function toGuia(guia: string, id: string): PageAnswer {
  return seeOther(`/admin/guias/${guia}?hecho=${id}`);
}
