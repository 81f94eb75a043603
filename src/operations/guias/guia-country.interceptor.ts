import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { operatorOf } from '../../auth/decorators.js';
import { COUNTRY } from '../../platform/validation/country.js';
import { OperatorGuiasService } from './operator-guias.service.js';

/** Has a phone of the body read as one of the guide's merchant: an operator has no country. Runs before the body is read. */
@Injectable()
export class GuiaCountryInterceptor implements NestInterceptor {
  constructor(private readonly guias: OperatorGuiasService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { body, params } = request;
    const operator = operatorOf(request);
    if (operator && typeof body === 'object' && body !== null && 'telefono' in body) {
      const { comercio_pais } = await this.guias.detailFromPrimary(operator, (params as { id: string }).id);
      Object.assign(body, { [COUNTRY]: comercio_pais });
    }
    return next.handle();
  }
}
