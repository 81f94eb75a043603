import { SetMetadata, applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { Credential } from './keys/api-keys.service.js';
import type { Scope } from './keys/scopes.js';

export const PUBLIC = 'auth:public';
export const SCOPE = 'auth:scope';

/** A request after the guard: `credential` is absent on public routes only. */
export interface AuthenticatedRequest extends FastifyRequest {
  credential?: Credential;
}

/** Opens a route to everyone. Without it (or `@RequireScope`) a route answers nobody. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Asks for an API key with a scope: enforcement and documentation in one. */
export const RequireScope = (scope: Scope) => applyDecorators(SetMetadata(SCOPE, scope), ApiBearerAuth());

/** The merchant whose key came with the request. */
export const CurrentMerchant = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().credential?.merchant,
);

/** The operator whose key came with the request. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().credential?.operator,
);

export type Merchant = NonNullable<Credential['merchant']>;
export type Operator = NonNullable<Credential['operator']>;
