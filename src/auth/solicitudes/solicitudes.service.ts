import { Injectable } from '@nestjs/common';
import type { Merchant } from '../merchants/merchant.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Reads } from '../../platform/database/replicas/reads.js';
import { REQUEST_ID_FORM } from '../../platform/http/request-id.js';
import { toSolicitud, type SolicitudDto } from './dto/solicitud.dto.js';
import { findOwnRequests } from './request-log.queries.js';
import type { Solicitud } from './solicitud.entity.js';

/** Answers with one id, at most: callers may choose it, and choose the same again. */
const LIMIT = 100;

@Injectable()
export class SolicitudesService {
  constructor(private readonly reads: Reads) {}

  /** Newest first. @throws AppError `no_encontrado`, also for another merchant's or another mode's. */
  async find(merchant: Merchant, requestId: string): Promise<SolicitudDto[]> {
    const rows = REQUEST_ID_FORM.test(requestId) ? await this.ofMerchant(merchant, requestId) : [];
    if (rows.length > 0) return rows.map(toSolicitud);
    throw new AppError('no_encontrado', {
      detail:
        'No hay una solicitud con ese `X-Request-Id`. Se guardan 30 días las que cambian algo y las rechazadas, unos segundos después de responderlas.',
    });
  }

  private async ofMerchant({ id }: Merchant, requestId: string): Promise<Solicitud[]> {
    return (await this.reads.query<Solicitud>(findOwnRequests(requestId, id, LIMIT))).rows;
  }
}
