import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyLimits } from './key-limits.js';

/** Items of a batch that count as one request. */
const ITEMS_PER_REQUEST = 10;

const ITEMS = 'guias:items';

/** How many items a parsed body has, whose rules are not checked yet. */
type ItemCount = (body: unknown) => number;

/** Counts ten items of a batch as one request, at most as the whole limit; refuses the batch if fewer are left. */
export const CostsByItem = (count: ItemCount): MethodDecorator =>
  applyDecorators(SetMetadata(ITEMS, count), UseInterceptors(RequestCostInterceptor));

/** The length of a list in a body. A body without it, or with a longer one than `max`, is refused: it costs one request. */
export const itemsIn =
  (field: string, max: number): ItemCount =>
  (body) => {
    const items = (body as Record<string, unknown> | null | undefined)?.[field];
    return Array.isArray(items) && items.length <= max ? items.length : 1;
  };

/** Requests that a batch of so many items counts as. */
export const requestsFor = (items: number): number => Math.ceil(items / ITEMS_PER_REQUEST);

/** Charges the key for a batch, whose request was counted as one when it arrived. */
@Injectable()
class RequestCostInterceptor implements NestInterceptor {
  constructor(
    private readonly limits: KeyLimits,
    private readonly reflector: Reflector,
  ) {}

  /** @throws AppError `demasiadas_solicitudes` */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<ReturnType<CallHandler['handle']>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const count = this.reflector.get<ItemCount>(ITEMS, context.getHandler());
    const cost = requestsFor(count(request.body));
    await this.limits.charge(request, http.getResponse<FastifyReply>(), cost);
    return next.handle();
  }
}
