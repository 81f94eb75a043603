import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { mayAct } from '../../../platform/config/board-users.js';
import { Config } from '../../../platform/config/env.js';
import { isGuiaEstado } from '../../../guias/guia/guia-estado.js';
import { pageIn, QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import { seeOther, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService, type Done } from '../audit/audit.service.js';
import { AccountOf, type AccountRef } from './account-kind.js';
import { renderMerchants, renderOperators } from './accounts-page.js';
import { AccountsService, type RotatedKey, type SentOfAccount } from './accounts.service.js';
import { AdjustmentsService } from './adjustments.service.js';
import { MerchantClosingService } from './merchant-closing.service.js';
import { renderMerchantGuias } from './merchant-lists-page.js';
import { MerchantOverviewService } from './merchant-overview.service.js';
import { renderMerchant } from './merchant-page.js';
import { renderOperator } from './operator-page.js';

const KEYS = ['comercios/:id/cuenta/claves', 'operadores/:id/claves'];

/**
 * Merchants, operators and their keys. Their forms are answered with a page, and not with a redirect, which could not show a
 * new key; a form that is sent again does nothing again.
 */
@ApiExcludeController()
@Controller('admin')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly adjustments: AdjustmentsService,
    private readonly closings: MerchantClosingService,
    private readonly overviews: MerchantOverviewService,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  @Page({ path: 'comercios', who: 'staff', need: 'admin' })
  async merchants(@CurrentVisitor() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return this.merchantList(user, query);
  }

  @PageForm({ path: 'comercios', who: 'staff', need: 'admin' })
  async createMerchant(@SentForm() form: Sent<StaffUser>): Promise<string> {
    const done = await this.accounts.createMerchant(form);
    if (!done.made) return this.merchantList(form.by, {}, done);
    return this.page({ kind: 'comercios', id: done.made.id }, form.by, {}, { form: 'cuenta', done });
  }

  @Page({ path: 'operadores', who: 'staff', need: 'admin' })
  async operators(@CurrentVisitor() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return this.operatorList(user, query);
  }

  @PageForm({ path: 'operadores', who: 'staff', need: 'admin' })
  async createOperator(@SentForm() form: Sent<StaffUser>): Promise<string> {
    const done = await this.accounts.createOperator(form);
    if (!done.made) return this.operatorList(form.by, {}, done);
    return this.page({ kind: 'operadores', id: done.made.id }, form.by, {}, { form: 'cuenta', done });
  }

  /** Whoever looks after endpoints sees it; keys are made by who sets up. */
  @Page({ path: ['comercios/:id', 'operadores/:id'], who: 'staff', need: 'lectura' })
  async show(
    @AccountOf() of: AccountRef,
    @CurrentVisitor() user: StaffUser,
    @QueryTexts() query: Form,
  ): Promise<string> {
    return this.page(of, user, query);
  }

  /** For who sets up: where the lists and the forms of the account lead. */
  @Page({ path: 'comercios/:id/cuenta', who: 'staff', need: 'admin' })
  async showAgain(@Param('id') id: string, @CurrentVisitor() user: StaffUser): Promise<string> {
    return this.page({ kind: 'comercios', id }, user, {});
  }

  @PageForm({ path: 'comercios/:id/cuenta', who: 'staff', need: 'admin' })
  async updateMerchant(@Param('id') id: string, @SentForm() form: Sent<StaffUser>): Promise<string> {
    const done = await this.accounts.updateMerchant(form, id);
    return this.page({ kind: 'comercios', id }, form.by, {}, { form: 'cuenta', done });
  }

  @PageForm({ path: KEYS, who: 'staff', need: 'admin' })
  async createKey(@AccountOf() of: AccountRef, @SentForm() form: Sent<StaffUser>): Promise<string> {
    const done = await this.accounts.createKey(form, of);
    return this.page(of, form.by, {}, { form: 'clave', done, newKey: done.made });
  }

  @PageForm({ path: KEYS.map((path) => `${path}/:clave/rotar`), who: 'staff', need: 'admin' })
  async rotateKey(
    @AccountOf() of: AccountRef,
    @Param('clave') clave: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<string> {
    const done: Done<RotatedKey> = await this.accounts.rotateKey(form, of, clave);
    return this.page(of, form.by, {}, { form: 'rotar', done, newKey: done.made });
  }

  @PageForm({ path: KEYS.map((path) => `${path}/:clave/revocar`), who: 'staff', need: 'admin' })
  async revokeKey(
    @AccountOf() of: AccountRef,
    @Param('clave') clave: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<string> {
    const done = await this.accounts.revokeKey(form, of, clave);
    return this.page(of, form.by, {}, { form: 'revocar', done });
  }

  @PageForm({ path: 'comercios/:id/ajustes', who: 'staff', need: 'despacho' })
  async adjust(@Param('id') id: string, @SentForm() form: Sent<StaffUser>): Promise<string> {
    const done = await this.adjustments.create(form, id);
    return this.page({ kind: 'comercios', id }, form.by, {}, { form: 'ajuste', done });
  }

  @PageForm({ path: 'comercios/:id/ajustes/:ajuste/quitar', who: 'staff', need: 'despacho' })
  async removeAdjustment(
    @Param('id') id: string,
    @Param('ajuste') ajuste: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<string> {
    const done = await this.adjustments.remove(form, id, ajuste);
    return this.page({ kind: 'comercios', id }, form.by, {}, { form: 'quitar', done });
  }

  @Page({ path: 'comercios/:id/guias', who: 'staff', need: 'lectura' })
  async listGuias(
    @CurrentVisitor() user: StaffUser,
    @Param('id') id: string,
    @QueryTexts() { ver, cursor }: Form,
  ): Promise<string> {
    const vista = isGuiaEstado(ver) ? ver : 'sin-confirmar';
    return renderMerchantGuias({ user, vista, ...(await this.overviews.guias(id, vista, cursor)) });
  }

  @PageForm({ path: 'comercios/:id/cerrar', who: 'staff', need: 'admin' })
  async close(@Param('id') id: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    const done = await this.closings.close(form, id);
    return seeOther(`/admin/comercios/${id}?hecho=${done}`);
  }

  @PageForm({ path: 'comercios/:id/reabrir', who: 'staff', need: 'admin' })
  async reopen(@Param('id') id: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    const done = await this.closings.reopen(form, id);
    return seeOther(`/admin/comercios/${id}?hecho=${done}`);
  }

  private async merchantList(user: StaffUser, query: Form, refused?: Done<unknown>): Promise<string> {
    const [q, page] = [query.q ?? '', pageIn(query)];
    const { defaultCountry } = this.config;
    const list = await this.accounts.watchedMerchants(q.trim(), page);
    return renderMerchants({ user, q, page, defaultCountry, ...list, refused });
  }

  private async operatorList(user: StaffUser, query: Form, refused?: Done<unknown>): Promise<string> {
    const page = pageIn(query);
    return renderOperators({ user, page, ...(await this.accounts.listOperators(page)), refused });
  }

  private async page(
    { kind, id }: AccountRef,
    user: StaffUser,
    { hecho, ajustes }: Form,
    sent?: SentOfAccount,
  ): Promise<string> {
    const outcome = sent?.done.outcome ?? (await this.audit.outcomeOf(hecho, user));
    if (kind === 'operadores')
      return renderOperator({ user, outcome, sent, ...(await this.accounts.operator(id)) });
    const overview = await this.overviews.load(id, ajustes);
    const closing = mayAct(user, 'admin') ? await this.closings.outlook(overview.merchant) : undefined;
    return renderMerchant({ user, outcome, sent, closing, ...overview });
  }
}
