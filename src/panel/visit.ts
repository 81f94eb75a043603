import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Credential } from '../auth/keys/authentication.service.js';
import { includesScope, type Scope } from '../auth/keys/scopes.js';
import type { Merchant } from '../auth/merchants/merchant.js';
import { firstTexts, textsOf, type Form } from '../http/form-texts.js';
import { timeZoneOf } from '../validation/time-zone.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where a session of the panel is running. */
    visit?: Visit;
  }
}

/** Somebody of a merchant on the panel. */
export interface Visit {
  merchant: Merchant;
  /** Of the key of the session. */
  keyId: string;
  scopes: readonly Scope[];
  /** IANA time zone of the merchant. */
  zone: string;
}

/** Undefined for an operator's key. */
export function toVisit({ merchant, keyId, scopes }: Credential): Visit | undefined {
  return merchant && { merchant, keyId, scopes, zone: timeZoneOf(merchant.country) };
}

/** Whether the session's key has a scope. */
export const may = ({ scopes }: Visit, scope: Scope): boolean => includesScope(scopes, scope);

/** The session of the request; undefined only on the sign-in page. */
export const CurrentVisit = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().visit,
);

/** The texts of the posted form. */
export const SentFields = createParamDecorator((_: unknown, context: ExecutionContext): Form =>
  textsOf(context.switchToHttp().getRequest<FastifyRequest>().body),
);

/** The query's texts; the first of a repeated one. */
export const PanelQuery = createParamDecorator((_: unknown, context: ExecutionContext): Form =>
  firstTexts(context.switchToHttp().getRequest<FastifyRequest>().query),
);
