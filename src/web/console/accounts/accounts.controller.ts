import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { NewKey } from '../../../auth/keys/api-keys.service.js';
import { Config } from '../../../config/env.js';
import type { StaffUser } from '../admin-access.js';
import { pageIn, QueryTexts } from '../../../http/form-texts.js';
import { CurrentStaff, SentForm, type Form, type Sent } from '../current-staff.js';
import { Page, PageForm } from '../../kit/page-routes.js';
import { renderAccount } from './account-page.js';
import { renderMerchants, renderOperators } from './accounts-page.js';
import type { Done } from '../audit/forms.service.js';
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
    private readonly config: Config,
  ) {}

  @Page({ path: 'comercios', who: 'staff', need: 'admin' })
  async merchants(@CurrentStaff() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return this.merchantList(user, query);
  }

  @PageForm({ path: 'comercios', who: 'staff', need: 'admin' })
  async createMerchant(@SentForm() form: Sent): Promise<string> {
    const done = await this.accounts.createMerchant(form);
    if (!done.made) return this.merchantList(form.user, {}, done);
    return this.merchantPage(form, done.made.id, 'cuenta', done);
  }

  @Page({ path: 'comercios/:id/cuenta', who: 'staff', need: 'admin' })
  async merchant(@CurrentStaff() user: StaffUser, @Param('id') id: string): Promise<string> {
    return renderAccount({ user, ...(await this.accounts.merchant(id)) });
  }

  @PageForm({ path: 'comercios/:id/cuenta', who: 'staff', need: 'admin' })
  async updateMerchant(@SentForm() form: Sent, @Param('id') id: string): Promise<string> {
    return this.merchantPage(form, id, 'cuenta', await this.accounts.updateMerchant(form, id));
  }

  @PageForm({ path: 'comercios/:id/cuenta/claves', who: 'staff', need: 'admin' })
  async createMerchantKey(@SentForm() form: Sent, @Param('id') id: string): Promise<string> {
    const done = await this.accounts.createKey(form, await this.accounts.merchant(id));
    return this.merchantPage(form, id, 'clave', done);
  }

  @PageForm({ path: 'comercios/:id/cuenta/claves/:clave/rotar', who: 'staff', need: 'admin' })
  async rotateMerchantKey(
    @SentForm() form: Sent,
    @Param('id') id: string,
    @Param('clave') clave: string,
  ): Promise<string> {
    const done = await this.accounts.rotateKey(form, await this.accounts.merchant(id), clave);
    return this.merchantPage(form, id, 'rotar', done);
  }

  @PageForm({ path: 'comercios/:id/cuenta/claves/:clave/revocar', who: 'staff', need: 'admin' })
  async revokeMerchantKey(
    @SentForm() form: Sent,
    @Param('id') id: string,
    @Param('clave') clave: string,
  ): Promise<string> {
    const done = await this.accounts.revokeKey(form, await this.accounts.merchant(id), clave);
    return this.merchantPage(form, id, 'revocar', done);
  }

  @Page({ path: 'operadores', who: 'staff', need: 'admin' })
  async operators(@CurrentStaff() user: StaffUser, @QueryTexts() query: Form): Promise<string> {
    return this.operatorList(user, query);
  }

  @PageForm({ path: 'operadores', who: 'staff', need: 'admin' })
  async createOperator(@SentForm() form: Sent): Promise<string> {
    const done = await this.accounts.createOperator(form);
    if (!done.made) return this.operatorList(form.user, {}, done);
    return this.operatorPage(form, done.made.id, 'cuenta', done);
  }

  @Page({ path: 'operadores/:id', who: 'staff', need: 'admin' })
  async operator(@CurrentStaff() user: StaffUser, @Param('id') id: string): Promise<string> {
    return renderAccount({ user, ...(await this.accounts.operator(id)) });
  }

  @PageForm({ path: 'operadores/:id/claves', who: 'staff', need: 'admin' })
  async createOperatorKey(@SentForm() form: Sent, @Param('id') id: string): Promise<string> {
    const done = await this.accounts.createKey(form, await this.accounts.operator(id));
    return this.operatorPage(form, id, 'clave', done);
  }

  @PageForm({ path: 'operadores/:id/claves/:clave/rotar', who: 'staff', need: 'admin' })
  async rotateOperatorKey(
    @SentForm() form: Sent,
    @Param('id') id: string,
    @Param('clave') clave: string,
  ): Promise<string> {
    const done = await this.accounts.rotateKey(form, await this.accounts.operator(id), clave);
    return this.operatorPage(form, id, 'rotar', done);
  }

  @PageForm({ path: 'operadores/:id/claves/:clave/revocar', who: 'staff', need: 'admin' })
  async revokeOperatorKey(
    @SentForm() form: Sent,
    @Param('id') id: string,
    @Param('clave') clave: string,
  ): Promise<string> {
    const done = await this.accounts.revokeKey(form, await this.accounts.operator(id), clave);
    return this.operatorPage(form, id, 'revocar', done);
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

  private async merchantPage(sent: Sent, id: string, form: FormName, done: Done<unknown>): Promise<string> {
    return pageAfter(sent, form, done, await this.accounts.merchant(id));
  }

  private async operatorPage(sent: Sent, id: string, form: FormName, done: Done<unknown>): Promise<string> {
    return pageAfter(sent, form, done, await this.accounts.operator(id));
  }
}

type FormName = 'cuenta' | 'clave' | 'rotar' | 'revocar';

/** The page of an account after a form of it, with the key that the form made. */
function pageAfter(
  { user }: Sent,
  form: FormName,
  done: Done<unknown>,
  account: AccountOverview,
): Promise<string> {
  const newKey = form === 'clave' || form === 'rotar' ? (done.made as NewKey | undefined) : undefined;
  return renderAccount({ user, ...account, newKey, sent: { form, done } });
}
