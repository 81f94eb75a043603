import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The part of the console that an account's page is in. */
type AccountKind = 'comercios' | 'operadores';

export interface AccountRef {
  kind: AccountKind;
  id: string;
}

/** The account of a route below `/admin/comercios/:id` or `/admin/operadores/:id`. */
export const AccountOf = createParamDecorator((_: unknown, context: ExecutionContext): AccountRef => {
  const { routeOptions, params } = context.switchToHttp().getRequest<FastifyRequest>();
  const isOperator = routeOptions.url?.startsWith('/admin/operadores/');
  return { kind: isOperator ? 'operadores' : 'comercios', id: (params as AccountRef).id };
});
