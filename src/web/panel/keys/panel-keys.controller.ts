import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiKeysService, type NewKey } from '../../../auth/keys/api-keys.service.js';
import { DatosDeClave, expiryOf } from '../../../auth/keys/datos-de-clave.form.js';
import type { Scope } from '../../../auth/keys/scopes.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { pageIn, QueryTexts, valuesIn, type Form } from '../../../platform/http/form-texts.js';
import { PanelFormsService } from '../forms/panel-forms.service.js';
import { inspect, validValue } from '../../../platform/validation/read-input.js';
import { scopesToGive, type Visit } from '../visit.js';
import { renderKeys, type KeysPageProps } from './keys-page.js';

const ENDED = 'La clave deja de funcionar en 5 segundos.';

/** The merchant's keys, for sessions that may make keys. */
@ApiExcludeController()
@Controller('panel/claves')
export class PanelKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly forms: PanelFormsService,
  ) {}

  @Page({ who: 'merchant', need: 'claves' })
  async list(@CurrentVisitor() visit: Visit, @QueryTexts() query: Form): Promise<string> {
    const done = query.hecho === 'terminada' ? ENDED : undefined;
    return this.render(visit, { done, page: pageIn(query) });
  }

  /** Shows the key in its answer, never by a redirect; the same form again shows none. */
  @PageForm({ who: 'merchant', need: 'claves' }, { formList: 'alcances' })
  make(@SentForm() form: Sent<Visit>): Promise<string | PageAnswer> {
    const { by: visit, fields } = form;
    return this.forms.reveal(
      form,
      () => this.create(visit, fields),
      ({ made, ...shown }) =>
        this.render(visit, { newKey: made, isMaking: shown.refusal !== undefined, ...shown }),
    );
  }

  @PageForm({ path: ':id/terminar', who: 'merchant', need: 'claves' })
  end(@Param('id') id: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    const { by: visit } = form;
    return this.forms.submit(
      form,
      async () => {
        await this.revoke(visit, id);
        return '/panel/claves?hecho=terminada';
      },
      (refusal) => this.render(visit, { refusal }),
    );
  }

  /** In the mode of the session. @throws AppError `validacion` */
  private async create(visit: Visit, { alcances, ...fields }: Form): Promise<NewKey> {
    const given: readonly string[] = scopesToGive(visit);
    const scopes = valuesIn(alcances) as Scope[];
    const { value, errors } = inspect(DatosDeClave, fields, {});
    const mensaje = scopes.length === 0 ? 'Elija al menos uno.' : `Puede dar solo: ${given.join(', ')}.`;
    if (scopes.length === 0 || scopes.some((scope) => !given.includes(scope)))
      errors.push({ campo: 'alcances', codigo: 'formato', mensaje });
    const dto = validValue({ value, errors });
    const { id, isTest } = visit.merchant;
    const expiresAt = expiryOf(dto, visit.zone);
    const options = { scopes, label: dto.etiqueta, expiresAt, mode: isTest ? 'test' : 'live' } as const;
    return this.keys.create({ comercio_id: id }, options);
  }

  /** @throws AppError `no_encontrado`; `transicion_invalida` for the last key that works, if a key began the session. */
  private async revoke({ merchant, keyId }: Visit, id: string): Promise<void> {
    if (!isUuid(id)) throw new AppError('no_encontrado', { detail: 'No existe esa clave.' });
    if (await this.keys.revokeUnlessLast(merchant.id, id, keyId === null)) return;
    throw new AppError('transicion_invalida', {
      detail: 'Es la última clave que funciona, y sin ella nadie entra. Haga antes otra.',
    });
  }

  /** Newest first; of the session's mode alone. */
  private async render(visit: Visit, shown: Omit<KeysPageProps, 'visit' | 'keys'>): Promise<string> {
    const { id } = visit.merchant;
    const keys = await this.keys.list({ comercio_id: id });
    return renderKeys({ visit, keys: keys.filter(({ comercio_id }) => comercio_id === id), ...shown });
  }
}
