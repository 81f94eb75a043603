import { Injectable } from '@nestjs/common';
import { GuiaCobrosService } from '../../../guias/changes/guia-cobros.service.js';
import { CorregirCobroDto } from '../../../guias/dto/corregir-cobro.dto.js';
import { money } from '../../../guias/guia/local-format.js';
import { PAGOS } from '../../../guias/guia/pago.js';
import { readInput } from '../../../platform/validation/read-input.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import { typedAmount } from '../../kit/forms/typed-amount.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { settledAsPeopleSay } from './settled-text.js';
import { GuiaOverviewService } from './guia-overview.service.js';

/** Corrections by staff, by the service of operators' corrections. */
@Injectable()
export class CobroActionsService {
  constructor(
    private readonly overviews: GuiaOverviewService,
    private readonly cobros: GuiaCobrosService,
    private readonly audit: AuditService,
  ) {}

  /** Corrects what was collected, and how; the history says that it was support. @throws AppError `no_encontrado` */
  async correct({ by, clave, fields }: Sent<StaffUser>, guia: string): Promise<string> {
    const { id: comercioId, currency, country } = await this.overviews.merchantOf(guia);
    return this.audit.record({ by, clave, accion: 'corregir_cobro', guia, comercioId }, async () => {
      const { pago, nota, ajustar } = fields;
      // Of what was paid to the merchant the form's amount is the one before.
      const cod_cobrado = pago === 'directo' ? undefined : typedAmount(fields.cod_cobrado);
      const dto = readInput(
        CorregirCobroDto,
        { cod_cobrado, pago, nota, ajustar: ajustar === 'si' },
        { currency, country },
      );
      const author = { actor: 'soporte' as const, usuario: by.name };
      const done = await this.cobros.correct(author, { comercioId }, guia, dto).catch((error: unknown) => {
        throw settledAsPeopleSay(error);
      });
      if (done.pago === 'directo') return 'Quedó corregido: se pagó directo al comercio.';
      const how = done.pago === null ? '' : `, ${PAGOS[done.pago]}`;
      return `Quedó corregido: se cobró ${money(done.cod_cobrado, currency, country)}${how}.`;
    });
  }
}
