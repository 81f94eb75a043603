import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { isGuiaEstado } from '../../../guias/guia-estado.js';
import { QueryTexts, type Form } from '../../../http/form-texts.js';
import { ENTREGA_ESTADOS } from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { seeOther, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
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

  @Page({ who: 'staff', need: 'lectura' })
  async show(
    @CurrentVisitor() user: StaffUser,
    @Param('comercio') comercio: string,
    @QueryTexts() { hecho }: Form,
  ): Promise<string> {
    const overview = await this.overviews.load(comercio);
    const outcome = await this.audit.outcomeOf(hecho, user);
    return renderMerchant({ user, outcome, ...overview });
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

  @Page({ path: 'webhooks/:webhook/avisos', who: 'staff', need: 'lectura' })
  async listDeliveries(
    @CurrentVisitor() user: StaffUser,
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    const estado = ENTREGA_ESTADOS.find((name) => name === query.estado) ?? 'fallida';
    const page = await this.overviews.entregas(comercio, webhook, estado, query.cursor);
    return renderDeliveries({ user, estado, ...page });
  }

  @PageForm({ path: 'webhooks/:webhook/probar', who: 'staff', need: 'soporte' })
  async test(
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer> {
    return toEndpoint(comercio, await this.actions.test(form, comercio, webhook));
  }

  @PageForm({ path: 'webhooks/:webhook/liberar', who: 'staff', need: 'soporte' })
  async release(
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer> {
    return toEndpoint(comercio, await this.actions.release(form, comercio, webhook));
  }

  @Page({ path: 'webhooks/:webhook/reenviar', who: 'staff', need: 'lectura' })
  async showReplay(
    @CurrentVisitor() user: StaffUser,
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
  ): Promise<string> {
    return renderReplay({ user, ...(await this.overviews.endpoint(comercio, webhook)) });
  }

  @PageForm({ path: 'webhooks/:webhook/reenviar', who: 'staff', need: 'soporte' })
  async replay(
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer> {
    return toEndpoint(comercio, await this.actions.replay(form, comercio, webhook, form.fields));
  }
}

/** The top of the merchant's page, which shows the action's outcome. */
function toEndpoint(comercio: string, id: string): PageAnswer {
  return seeOther(`/admin/comercios/${comercio}?hecho=${id}`);
}
