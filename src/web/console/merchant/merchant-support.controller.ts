import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { isGuiaEstado } from '../../../guias/guia-estado.js';
import { ENTREGA_ESTADOS } from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import { QueryTexts } from '../../../http/form-texts.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { CurrentStaff, SentForm, type Form, type Sent } from '../current-staff.js';
import { back, StaffGet, StaffPost, type Back } from '../staff-routes.js';
import { EndpointActionsService } from './endpoint-actions.service.js';
import { MerchantOverviewService } from './merchant-overview.service.js';
import { renderDeliveries, renderMerchantGuias } from './merchant-lists-page.js';
import { renderMerchant } from './merchant-page.js';
import { renderReplay } from './replay-page.js';

/** The page of a merchant, and support's actions on its endpoints. */
@ApiExcludeController()
@Controller('admin/comercios/:comercio')
export class MerchantSupportController {
  constructor(
    private readonly overviews: MerchantOverviewService,
    private readonly actions: EndpointActionsService,
    private readonly audit: AuditService,
  ) {}

  @StaffGet()
  async show(
    @CurrentStaff() user: StaffUser,
    @Param('comercio') comercio: string,
    @QueryTexts() { hecho }: Form,
  ): Promise<string> {
    const overview = await this.overviews.load(comercio);
    const outcome = await this.audit.outcomeOf(hecho, user);
    return renderMerchant({ user, outcome, ...overview });
  }

  @StaffGet('guias')
  async listGuias(
    @CurrentStaff() user: StaffUser,
    @Param('comercio') comercio: string,
    @QueryTexts() { ver, cursor }: Form,
  ): Promise<string> {
    const vista = isGuiaEstado(ver) ? ver : 'sin-confirmar';
    return renderMerchantGuias({ user, vista, ...(await this.overviews.guias(comercio, vista, cursor)) });
  }

  @StaffGet('webhooks/:webhook/avisos')
  async listDeliveries(
    @CurrentStaff() user: StaffUser,
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    const estado = ENTREGA_ESTADOS.find((name) => name === query.estado) ?? 'fallida';
    const page = await this.overviews.entregas(comercio, webhook, estado, query.cursor);
    return renderDeliveries({ user, estado, ...page });
  }

  @StaffPost('webhooks/:webhook/probar')
  async test(
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @SentForm() form: Sent,
  ): Promise<Back> {
    return toEndpoint(comercio, await this.actions.test(form, comercio, webhook));
  }

  @StaffPost('webhooks/:webhook/liberar')
  async release(
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @SentForm() form: Sent,
  ): Promise<Back> {
    return toEndpoint(comercio, await this.actions.release(form, comercio, webhook));
  }

  @StaffGet('webhooks/:webhook/reenviar')
  async showReplay(
    @CurrentStaff() user: StaffUser,
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
  ): Promise<string> {
    return renderReplay({ user, ...(await this.overviews.endpoint(comercio, webhook)) });
  }

  @StaffPost('webhooks/:webhook/reenviar')
  async replay(
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @SentForm() form: Sent,
  ): Promise<Back> {
    return toEndpoint(comercio, await this.actions.replay(form, comercio, webhook, form.fields));
  }
}

/** The top of the merchant's page, which shows the action's outcome. */
function toEndpoint(comercio: string, id: string): Back {
  return back(`/admin/comercios/${comercio}`, id);
}
