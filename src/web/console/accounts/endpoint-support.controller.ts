import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { ENTREGA_ESTADOS } from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { pageAnswer, seeOther, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import type { StaffUser } from '../admin-access.js';
import { AccountOf, type AccountRef } from './account-kind.js';
import type { EndpointAccount } from './endpoint-account.js';
import { EndpointActionsService } from './endpoint-actions.service.js';
import { EndpointOverviewService } from './endpoint-overview.service.js';
import { renderDeliveries } from './merchant-lists-page.js';
import { renderReplay } from './replay-page.js';

@ApiExcludeController()
@Controller(['admin/comercios/:id/webhooks/:webhook', 'admin/operadores/:id/webhooks/:webhook'])
export class EndpointSupportController {
  constructor(
    private readonly overviews: EndpointOverviewService,
    private readonly actions: EndpointActionsService,
  ) {}

  @Page({ path: 'avisos', who: 'staff', need: 'lectura' })
  async listDeliveries(
    @CurrentVisitor() user: StaffUser,
    @AccountOf() of: AccountRef,
    @Param('webhook') webhook: string,
    @QueryTexts() query: Form,
  ): Promise<string> {
    const estado = ENTREGA_ESTADOS.find((name) => name === query.estado) ?? 'fallida';
    const account = await this.overviews.accountOf(of);
    const page = await this.overviews.entregas(account, webhook, estado, query.cursor);
    return renderDeliveries({ user, estado, ...page });
  }

  @PageForm({ path: 'probar', who: 'staff', need: 'soporte' })
  async test(
    @AccountOf() of: AccountRef,
    @Param('webhook') webhook: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer> {
    const account = await this.overviews.accountOf(of);
    return toAccount(account, await this.actions.test(form, account, webhook));
  }

  @PageForm({ path: 'liberar', who: 'staff', need: 'soporte' })
  async release(
    @AccountOf() of: AccountRef,
    @Param('webhook') webhook: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer> {
    const account = await this.overviews.accountOf(of);
    return toAccount(account, await this.actions.release(form, account, webhook));
  }

  @Page({ path: 'reenviar', who: 'staff', need: 'lectura' })
  async showReplay(
    @CurrentVisitor() user: StaffUser,
    @AccountOf() of: AccountRef,
    @Param('webhook') webhook: string,
  ): Promise<string> {
    const account = await this.overviews.accountOf(of);
    return renderReplay({ user, ...(await this.overviews.find(account, webhook)) });
  }

  @PageForm({ path: 'reenviar', who: 'staff', need: 'soporte' })
  async replay(
    @AccountOf() of: AccountRef,
    @Param('webhook') webhook: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer> {
    const account = await this.overviews.accountOf(of);
    const { id, outcome, typed } = await this.actions.replay(form, account, webhook, form.fields);
    if (outcome?.resultado !== 'rechazado') return toAccount(account, id);
    const found = await this.overviews.find(account, webhook);
    return pageAnswer(await renderReplay({ user: form.by, ...found, outcome, typed }), 422);
  }
}

/** The top of the account's page, which shows the action's outcome. */
function toAccount({ path }: EndpointAccount, id: string): PageAnswer {
  return seeOther(`${path}?hecho=${id}`);
}
