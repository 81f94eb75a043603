import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { ApiRouteNotes } from '../platform/openapi/route-notes.js';
import type { Credential } from './keys/authentication.service.js';
import type { Operator } from './operators/operator.js';
import type { Owner } from './owner.js';
import type { Scope } from './keys/scopes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once its key has been authenticated; absent on public routes. */
    credential?: Credential;
  }

  interface FastifyContextConfig {
    /** Who may use the route: everyone (`@Public`), or those with a key of this scope. Nobody where it is absent. */
    access?: 'public' | Scope;

    /** Whether the route accepts only test keys. */
    isForTests?: boolean;
  }
}

/** The rest of a route's config. It is set together with `access`, because a second `RouteConfig` overwrites the first. */
type OtherConfig = Omit<FastifyContextConfig, 'access' | 'isForTests'>;

/** Requires an API key with this scope, and documents it. */
export const RequireScope = (scope: Scope, config: OtherConfig = {}) =>
  applyDecorators(
    RouteConfig({ ...config, access: scope }),
    ApiBearerAuth(),
    ApiRouteNotes({ scope, ...config }),
  );

/** Requires a test key with this scope, and documents it. */
export const RequireTestKey = (scope: Scope) =>
  applyDecorators(
    RouteConfig({ access: scope, isForTests: true }),
    ApiBearerAuth(),
    ApiRouteNotes({ scope }),
  );

export const CurrentMerchant = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<FastifyRequest>().credential?.merchant,
);

/** The operator of the request's key. With `modo=prueba` it sees test guides instead of real ones. */
export const CurrentOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): Operator | undefined =>
    operatorOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The merchant or the operator of the request's key, as above. */
export const CurrentOwner = createParamDecorator(
  (_: unknown, context: ExecutionContext): Owner | undefined => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return request.credential?.merchant ?? operatorOf(request);
  },
);

/** The operator of a request, in the mode that it names; undefined of a merchant's key. */
export function operatorOf({ credential, query }: FastifyRequest): Operator | undefined {
  const { modo } = query as { modo?: unknown };
  return credential?.operator && { ...credential.operator, isTest: modo === 'prueba' };
}
