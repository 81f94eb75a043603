import { Injectable } from '@nestjs/common';
import { MerchantsService } from '../../../auth/merchants/merchants.service.js';
import { OperatorsService } from '../../../auth/operators/operators.service.js';
import { AjustesService } from '../../../cobros/ajustes.service.js';
import { CrearAjusteDto } from '../../../cobros/dto/ajuste.dto.js';
import { money } from '../../../guias/guia/local-format.js';
import { readInput } from '../../../platform/validation/read-input.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { typedAmount } from '../../kit/forms/typed-amount.js';
import { AuditService, type Done } from '../audit/audit.service.js';

@Injectable()
export class AdjustmentsService {
  constructor(
    private readonly ajustes: AjustesService,
    private readonly merchants: MerchantsService,
    private readonly operators: OperatorsService,
    private readonly audit: AuditService,
  ) {}

  /** @throws AppError `no_encontrado` for an unknown merchant. */
  async create(form: Sent<StaffUser>, comercio: string): Promise<Done<undefined>> {
    const { id, pais } = await this.merchants.findOrFail(comercio);
    return this.audit.perform(form, 'crear_ajuste', { comercioId: id }, async () => {
      const { guia = '', ...fields } = form.fields;
      const sent = {
        ...fields,
        comercio: id,
        monto: typedAmount(fields.monto),
        guia: guia.replace(/ /g, ''),
      };
      const dto = readInput(CrearAjusteDto, sent, {});
      const made = await this.ajustes.create(await this.operators.console(), { ...dto, ref: form.clave! });
      const { monto, moneda, motivo } = made.ajuste;
      return `Quedó hecho el ajuste de ${money(String(monto), moneda, pais)}: ${motivo}.`;
    });
  }

  /** @throws AppError `no_encontrado` for an unknown merchant. */
  async remove(form: Sent<StaffUser>, comercio: string, ajuste: string): Promise<Done<undefined>> {
    const { id, pais } = await this.merchants.findOrFail(comercio);
    const detalle = ajuste.slice(0, 36);
    return this.audit.perform(form, 'quitar_ajuste', { comercioId: id, detalle }, async () => {
      const { monto, moneda, motivo } = await this.ajustes.remove({ isTest: false }, ajuste, id);
      return `Se quitó el ajuste de ${money(monto, moneda, pais)}: ${motivo}.`;
    });
  }
}
