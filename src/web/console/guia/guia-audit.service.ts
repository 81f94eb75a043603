import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import type { Accion } from '../audit/acciones.js';
import type { Subject } from '../audit/audit.queries.js';
import { AuditService } from '../audit/audit.service.js';
import { GuiaOverviewService } from './guia-overview.service.js';

@Injectable()
export class GuiaAuditService {
  constructor(
    private readonly overviews: GuiaOverviewService,
    private readonly audit: AuditService,
  ) {}

  /** Does an action on a guide, as `AuditService.record`. @throws AppError `no_encontrado` */
  async act(
    form: Sent<StaffUser>,
    accion: Accion,
    guia: string,
    act: (merchant: Merchant) => Promise<string>,
    about?: Pick<Subject, 'webhookId' | 'detalle'>,
  ): Promise<string> {
    const merchant = await this.overviews.merchantOf(guia);
    return this.audit.record(form, accion, { guia, comercioId: merchant.id, ...about }, () => act(merchant));
  }
}

/** Whom the guide's history names. */
export const byStaff = ({ name }: StaffUser) => ({ actor: 'soporte' as const, usuario: name });
