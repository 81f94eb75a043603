import { Injectable } from '@nestjs/common';
import { AuthenticationService } from '../../../auth/keys/authentication.service.js';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { toMerchant } from '../../../auth/merchants/to-merchant.js';
import { CobroListService } from '../../../cobros/cobro-list.service.js';
import type { Monto } from '../../../cobros/exact-amounts.js';
import { ClosingsService } from '../../../support/closing/closings.service.js';
import type { ClosingOutlook } from '../../../support/closing/closings.queries.js';
import { grouped } from '../../kit/elements.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';

/** What closing a merchant means, for who decides it. */
export interface MerchantClosing extends ClosingOutlook {
  /** Collected, and still to be settled. */
  porLiquidar: Monto;
}

/** Closes merchants, and opens them again. Each returns the id of its row in the audit log. */
@Injectable()
export class MerchantClosingService {
  constructor(
    private readonly closings: ClosingsService,
    private readonly cobros: CobroListService,
    private readonly authentication: AuthenticationService,
    private readonly audit: AuditService,
  ) {}

  async outlook(merchant: Comercio): Promise<MerchantClosing> {
    const [outlook, { cobrado }] = await Promise.all([
      this.closings.outlook(merchant.id),
      this.cobros.sum(toMerchant(merchant), {}),
    ]);
    return { ...outlook, porLiquidar: cobrado.cod_cobrado };
  }

  /** What is not picked up is cancelled in the background where that takes long, also by another process. */
  close(form: Sent<StaffUser>, { id }: Comercio): Promise<string> {
    return this.audit.record({ ...form, accion: 'cerrar_comercio', comercioId: id }, async () => {
      this.authentication.forget(await this.closings.close(id, form.by.name));
      const count = await this.closings.finish(id);
      const guias = count === 1 ? 'Se canceló 1 guía' : `Se cancelaron ${grouped(count)} guías`;
      return `El comercio está cerrado. ${guias}; lo demás sigue hasta su fin.`;
    });
  }

  reopen(form: Sent<StaffUser>, { id }: Comercio): Promise<string> {
    return this.audit.record({ ...form, accion: 'reabrir_comercio', comercioId: id }, async () => {
      this.authentication.forget(await this.closings.reopen(id));
      return 'El comercio está abierto: sus claves vuelven a crear guías. Lo cancelado sigue cancelado; active aquí sus endpoints.';
    });
  }
}
