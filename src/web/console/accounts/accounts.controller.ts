import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../../platform/config/env.js';
import { pageIn, QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { AuditService, type Done } from '../audit/audit.service.js';
import { renderAccount, type RotatedKey } from './account-page.js';
import { renderMerchants, renderOperators } from './accounts-page.js';
import { AccountsService, type AccountOverview } from './accounts.service.js';

/**
 * Set-up of merchants, operators and their keys. Forms are answered with a page, and not with a redirect, which could not
 * show a new key; a form that is sent again does nothing again.
 */
@ApiExcludeController()
@Controller('admin')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
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
    return this.merchantPage(form.by, done.made.id, 'cuenta', done);
  }

  @Page({ path: 'comercios/:id/cuenta', who: 'staff', need: 'admin' })
  async merchant(@CurrentVisitor() user: StaffUser, @Param('id') id: string): Promise<string> {
    return renderAccount({ user, ...(await this.accounts.merchantForPage(id)) });
  }

  @PageForm({ path: 'comercios/:id/cuenta', who: 'staff', need: 'admin' })
  async updateMerchant(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    return this.merchantPage(form.by, id, 'cuenta', await this.accounts.updateMerchant(form, id));
  }

  @PageForm({ path: 'comercios/:id/cuenta/claves', who: 'staff', need: 'admin' })
  async createMerchantKey(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    const done = await this.accounts.createKey(form, await this.accounts.merchant(id));
    return this.merchantPage(form.by, id, 'clave', done);
  }

  @PageForm({ path: 'comercios/:id/cuenta/claves/:clave/rotar', who: 'staff', need: 'admin' })
  async rotateMerchantKey(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @Param('clave') clave: string,
  ): Promise<string> {
    const done = await this.accounts.rotateKey(form, await this.accounts.merchant(id), clave);
    return this.merchantPage(form.by, id, 'rotar', done);
  }

  @PageForm({ path: 'comercios/:id/cuenta/claves/:clave/revocar', who: 'staff', need: 'admin' })
  async revokeMerchantKey(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @Param('clave') clave: string,
  ): Promise<string> {
    const done = await this.accounts.revokeKey(form, await this.accounts.merchant(id), clave);
    return this.merchantPage(form.by, id, 'revocar', done);
  }

  @Page({ path: 'operadores', who: 'staff', need: 'admin' })
  async operators(@CurrentVisitor() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return this.operatorList(user, query);
  }

  @PageForm({ path: 'operadores', who: 'staff', need: 'admin' })
  async createOperator(@SentForm() form: Sent<StaffUser>): Promise<string> {
    const done = await this.accounts.createOperator(form);
    if (!done.made) return this.operatorList(form.by, {}, done);
    return this.operatorPage(form.by, done.made.id, 'cuenta', done);
  }

  /** Whoever looks after endpoints sees it; keys are made by who sets up. */
  @Page({ path: 'operadores/:id', who: 'staff', need: 'lectura' })
  async operator(
    @CurrentVisitor() user: StaffUser,
    @Param('id') id: string,
    @QueryTexts() { hecho }: Form,
  ): Promise<string> {
    const outcome = await this.audit.outcomeOf(hecho, user);
    return renderAccount({ user, outcome, ...(await this.accounts.operator(id)) });
  }

  @PageForm({ path: 'operadores/:id/claves', who: 'staff', need: 'admin' })
  async createOperatorKey(@SentForm() form: Sent<StaffUser>, @Param('id') id: string): Promise<string> {
    const done = await this.accounts.createKey(form, await this.accounts.operator(id));
    return this.operatorPage(form.by, id, 'clave', done);
  }

  @PageForm({ path: 'operadores/:id/claves/:clave/rotar', who: 'staff', need: 'admin' })
  async rotateOperatorKey(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @Param('clave') clave: string,
  ): Promise<string> {
    const done = await this.accounts.rotateKey(form, await this.accounts.operator(id), clave);
    return this.operatorPage(form.by, id, 'rotar', done);
  }

  @PageForm({ path: 'operadores/:id/claves/:clave/revocar', who: 'staff', need: 'admin' })
  async revokeOperatorKey(
    @SentForm() form: Sent<StaffUser>,
    @Param('id') id: string,
    @Param('clave') clave: string,
  ): Promise<string> {
    const done = await this.accounts.revokeKey(form, await this.accounts.operator(id), clave);
    return this.operatorPage(form.by, id, 'revocar', done);
  }

  private async merchantList(user: StaffUser, query: Form, refused?: Done<unknown>): Promise<string> {
    const [q, page] = [query.q ?? '', pageIn(query)];
    const { defaultCountry } = this.config;
    const list = await this.accounts.listMerchants(q.trim(), page);
    return renderMerchants({ user, q, page, defaultCountry, ...list, ...(refused && { refused }) });
  }

  private async operatorList(user: StaffUser, query: Form, refused?: Done<unknown>): Promise<string> {
    const page = pageIn(query);
    const list = await this.accounts.listOperators(page);
    return renderOperators({ user, page, ...list, ...(refused && { refused }) });
  }

  private async merchantPage(
    by: StaffUser,
    id: string,
    form: FormName,
    done: Done<unknown>,
  ): Promise<string> {
    return pageAfter(by, form, done, await this.accounts.merchantForPage(id));
  }

  private async operatorPage(
    by: StaffUser,
    id: string,
    form: FormName,
    done: Done<unknown>,
  ): Promise<string> {
    return pageAfter(by, form, done, await this.accounts.operator(id));
  }
}

type FormName = 'cuenta' | 'clave' | 'rotar' | 'revocar';

/** The page of an account after a form of it, with the key that the form made. */
function pageAfter(
  user: StaffUser,
  form: FormName,
  done: Done<unknown>,
  account: AccountOverview,
): Promise<string> {
  const newKey = form === 'clave' || form === 'rotar' ? (done.made as RotatedKey | undefined) : undefined;
  return renderAccount({ user, ...account, newKey, sent: { form, done } });
}
