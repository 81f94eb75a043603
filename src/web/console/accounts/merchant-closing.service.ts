import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuthenticationService } from '../../../auth/keys/authentication.service.js';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { MerchantsService } from '../../../auth/merchants/merchants.service.js';
import { pendingMoney, type PendingRow } from '../../../cobros/pending-money.queries.js';
import { Database } from '../../../platform/database/database.js';
import { InjectLogger } from '../../../platform/logging/logging.module.js';
import { ClosingsService } from '../../../support/closing/closings.service.js';
import type { ClosingOutlook } from '../../../support/closing/closings.queries.js';
import { grouped } from '../../kit/elements.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';

export interface MerchantClosing extends ClosingOutlook {
  /** Sum of the next settlement: collected amounts, and pending adjustments. */
  porLiquidar: string;
}

/** Closes merchants, and opens them again. Each returns the id of its row in the audit log. @throws AppError `no_encontrado` */
@Injectable()
export class MerchantClosingService {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly closings: ClosingsService,
    private readonly database: Database,
    private readonly authentication: AuthenticationService,
    private readonly audit: AuditService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Null where it could not be read: the rest of a merchant's page is shown all the same. */
  async outlook({ id }: Comercio): Promise<MerchantClosing | null> {
    try {
      const [outlook, pending] = await Promise.all([
        this.closings.outlook(id),
        this.database.staff.rows<PendingRow>(pendingMoney(id)),
      ]);
      return { ...outlook, porLiquidar: pending[0]!.neto };
    } catch (error) {
      this.logger.warn({ err: error, comercio: id }, 'what closing a merchant means could not be read');
      return null;
    }
  }

  /** Guides that are not picked up are cancelled in the background where that takes long, also by another process. */
  async close(form: Sent<StaffUser>, comercio: string): Promise<string> {
    const { id } = await this.merchants.findOrFail(comercio);
    return this.audit.record(form, 'cerrar_comercio', { comercioId: id }, async () => {
      this.authentication.forget(await this.closings.close(id, form.by.name));
      const count = await this.closings.finish(id);
      const guias = count === 1 ? 'Se canceló 1 guía' : `Se cancelaron ${grouped(count)} guías`;
      return `El comercio está cerrado. ${guias}; lo demás sigue hasta su fin.`;
    });
  }

  async reopen(form: Sent<StaffUser>, comercio: string): Promise<string> {
    const { id } = await this.merchants.findOrFail(comercio);
    return this.audit.record(form, 'reabrir_comercio', { comercioId: id }, async () => {
      this.authentication.forget(await this.closings.reopen(id));
      return 'El comercio está abierto: sus claves vuelven a crear guías. Lo cancelado sigue cancelado; active aquí sus endpoints.';
    });
  }
}
