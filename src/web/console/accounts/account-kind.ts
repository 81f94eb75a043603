import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The part of the console that an account's page is in. */
export type AccountKind = 'comercios' | 'operadores';

/** Whose account a route is about. */
export const Kind = createParamDecorator((_: unknown, context: ExecutionContext): AccountKind => {
  const { routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
  return routeOptions.url?.startsWith('/admin/operadores/') ? 'operadores' : 'comercios';
});
