import type { Credential } from '../../auth/keys/authentication.service.js';
import { includesScope, MERCHANT_SCOPES, type Scope } from '../../auth/keys/scopes.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import type { Monto } from '../../cobros/exact-amounts.js';
import { money } from '../../guias/guia/local-format.js';
import { timeZoneOf } from '../../platform/validation/time-zone.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where a session of the panel is running. */
    visit?: Visit;
  }
}

/** Somebody of a merchant on the panel. */
export interface Visit {
  merchant: Merchant;
  /** Whether it is closed: nothing can be changed. */
  isClosed: boolean;
  /** Of the key of the session; null of one that began by mail. */
  keyId: string | null;
  scopes: readonly Scope[];
  /** IANA time zone of the merchant. */
  zone: string;
  /** Of the session, by which its row is found. */
  sesion: Buffer;
  /** Seconds to the end of the session. */
  secondsLeft: number;
}

/** Scopes of a closed merchant's session with a key: it looks, and ends keys. */
const CLOSED_SCOPES: readonly Scope[] = ['guias:leer', 'claves'];

/** Undefined for an operator's key. */
export function toVisit(
  { merchant, keyId, scopes, isClosed }: Credential,
  session: Pick<Visit, 'sesion' | 'secondsLeft'>,
): Visit | undefined {
  const given = isClosed ? scopes.filter((scope) => CLOSED_SCOPES.includes(scope)) : scopes;
  return (
    merchant && { merchant, isClosed, keyId, scopes: given, zone: timeZoneOf(merchant.country), ...session }
  );
}

export const may = ({ scopes }: Visit, scope: Scope): boolean => includesScope(scopes, scope);

/** An amount in the merchant's currency, as its pages write it. */
export const amountIn = ({ merchant }: Visit, amount: number | string | Monto): string =>
  money(amount.toString(), merchant.currency, merchant.country);

/** The scopes that a session may give to a new key: its own, but never that of making keys. */
export const scopesToGive = (visit: Visit): Scope[] =>
  MERCHANT_SCOPES.filter((scope) => scope !== 'claves' && may(visit, scope));
