import { Controller, Ip } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { MerchantsService } from '../../../auth/merchants/merchants.service.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { EmailField } from '../../../platform/validation/email.js';
import { ChoiceField } from '../../../platform/validation/fields.js';
import { readInput } from '../../../platform/validation/read-input.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { EnlacesService } from '../entrada/enlaces.service.js';
import { PanelFormsService, type Refusal } from '../forms/panel-forms.service.js';
import { noticeOf } from '../pages/panel-page.js';
import { may, type Visit } from '../visit.js';
import { renderAjustes } from './ajustes-page.js';

const DONE: Record<string, string> = {
  guardado: 'Se guardaron los cambios.',
  enviado: 'Le mandamos un enlace al correo nuevo. Hasta que lo toque, todo sigue llegando al de antes.',
};

const NOT_EMPTY = 'Escriba un correo. Si no quiere recibir nada, ponga No en el resumen y en los avisos.';

/** Settings of a merchant that its panel changes. Without a field, that stays as it is. */
class AjustesForm {
  @EmailField({ description: 'Correo nuevo.' })
  correo?: string;

  @ChoiceField({ values: ['si', 'no'], description: 'Si llega el resumen de cada mañana.' })
  resumen?: 'si' | 'no';

  @ChoiceField({ values: ['si', 'no'], description: 'Si llegan los avisos.' })
  avisos?: 'si' | 'no';
}

/** Where a merchant is written to, and of what. Test twins have neither. */
@ApiExcludeController()
@Controller('panel/ajustes')
export class AjustesController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly enlaces: EnlacesService,
    private readonly forms: PanelFormsService,
  ) {}

  @Page({ who: 'merchant', need: 'guias:leer' })
  show(@CurrentVisitor() visit: Visit, @QueryTexts() { hecho }: Form): Promise<string> {
    return this.render(visit, { done: noticeOf(DONE, hecho) });
  }

  @PageForm({ who: 'merchant', need: 'guias:escribir' })
  save(@SentForm() form: Sent<Visit>, @Ip() ip: string): Promise<PageAnswer> {
    const { by: visit } = form;
    return this.forms.submit(
      form,
      async () => `/panel/ajustes?hecho=${(await this.change(form, ip)) ? 'enviado' : 'guardado'}`,
      (refusal) => this.render(visit, { refusal }),
    );
  }

  /** @returns whether an address waits to be confirmed. @throws AppError `validacion`, `transicion_invalida`, `sin_permiso` */
  private async change({ by: visit, fields }: Sent<Visit>, ip: string): Promise<boolean> {
    const { merchant } = visit;
    const before = await this.merchants.find(merchant.id);
    if (!before)
      throw new AppError('transicion_invalida', { detail: 'En modo de prueba no hay correo ni avisos.' });
    const { correo, resumen, avisos } = readInput(AjustesForm, fields, {});
    if (correo === undefined && fields.correo !== undefined && before.correo !== null)
      throw AppError.validation([{ campo: 'correo', codigo: 'requerido', mensaje: NOT_EMPTY }]);
    const isOther = correo !== undefined && correo !== before.correo;
    // Whoever has the address makes keys: a key that may not make any gives itself no such way in.
    if (isOther && !may(visit, 'claves'))
      throw new AppError('sin_permiso', {
        detail: 'Su clave no permite cambiar el correo. Entre con otra que permita hacer claves.',
      });
    const changes = {
      ...(resumen && { con_resumen: resumen === 'si' }),
      ...(avisos && { con_avisos: avisos === 'si' }),
    };
    await this.merchants.update(merchant.id, changes);
    if (!isOther) return false;
    await this.enlaces.sendConfirmation(merchant, correo, ip);
    return true;
  }

  private async render(
    visit: Visit,
    shown: { done?: string | undefined; refusal?: Refusal },
  ): Promise<string> {
    const { id } = visit.merchant;
    const [merchant, waiting] = await Promise.all([this.merchants.find(id), this.enlaces.waiting(id)]);
    return renderAjustes({ visit, merchant, waiting, ...shown });
  }
}
