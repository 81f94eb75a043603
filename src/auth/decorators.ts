import { SetMetadata, applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Credential } from './keys/api-keys.service.js';
import type { Scope } from './keys/scopes.js';

export const PUBLIC = 'auth:public';
export const SCOPE = 'auth:scope';

/** A request after the guard. `credential` is absent only on public routes. */
export interface AuthenticatedRequest extends FastifyRequest {
  credential?: Credential;
}

/** Opens a route to everyone. A route with neither this nor `@RequireScope` refuses every request. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Requires an API key with this scope, and documents it. */
export const RequireScope = (scope: Scope) => applyDecorators(SetMetadata(SCOPE, scope), ApiBearerAuth());

/** The merchant of the request's key. */
export const CurrentMerchant = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().credential?.merchant,
);

/** The operator of the request's key. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().credential?.operator,
);

export type Merchant = NonNullable<Credential['merchant']>;
export type Operator = NonNullable<Credential['operator']>;
