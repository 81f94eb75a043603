import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import { scopeError } from '../platform/errors/route-errors.js';
import { identifierOf } from './keys/api-key.js';
import { KeyLimits } from './key-limits.js';
import { AuthenticationService, type Credential } from './keys/authentication.service.js';
import { includesScope, isReadScope } from './keys/scopes.js';
import { COUNTRY, CURRENCY, type WithCountry } from '../platform/validation/country.js';
import { bucketOfAddress, RateLimiter } from './rate-limiter.js';

/**
 * Requests with a well-formed key that is unknown, expired or revoked, for each address (of IPv6, each /64) and minute; more get
 * 429. Valid keys from the address still work.
 */
const WRONG_KEYS_PER_MINUTE = 60;

/** Closed by default: a route without `@Public()` needs a valid key with the scope it names. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly wrongKeys = new RateLimiter(WRONG_KEYS_PER_MINUTE);

  constructor(
    private readonly authentication: AuthenticationService,
    private readonly limits: KeyLimits,
  ) {}

  /** Authenticates before the body is read; Nest runs guards after it. Call it before routes are registered. */
  authenticateEarly(fastify: FastifyInstance): void {
    const onRequest: onRequestHookHandler = (request, reply, done) => {
      const key = bearerToken(request.headers.authorization);
      const known = key === undefined ? undefined : this.authentication.known(key);
      // Most requests have a known key that this process counts: no promise for these.
      const admitted = known ? this.admit(known, request, reply) : this.authenticate(key, request, reply);
      if (admitted) admitted.then(() => done(), done);
      else done();
    };
    fastify.addHook('onRoute', (route) => {
      const access = route.config?.access;
      if (access !== undefined && access !== 'public') route.onRequest = onRequest;
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      if (!request.is404) return done();
      const key = bearerToken(request.headers.authorization);
      this.recognise(key, request, reply)
        .catch(unlessLimited)
        .then(() => done(), done);
    });
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { credential, routeOptions } = request;
    const { access, isForTests } = routeOptions.config;
    if (access === 'public') return true;
    if (!credential) throw unauthenticated();
    if (!access || !includesScope(credential.scopes, access)) throw withoutScope(access);
    if (credential.isClosed && !isRead(request) && !isReadScope(access))
      throw new AppError('comercio_cerrado');
    if (isForTests && !credential.merchant?.isTest) throw new AppError('requiere_clave_de_prueba');
    setCountry(request);
    return true;
  }

  private async authenticate(
    key: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (!(await this.recognise(key, request, reply))) throw unauthenticated();
  }

  /** Whether the request has a valid key. Counts the request for that key, or as a guess for its address. */
  private async recognise(
    key: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean> {
    if (key === undefined) return false;
    const credential = await this.authentication.authenticate(key);
    if (!credential) {
      // Every refused key gets the same answer.
      void reply.removeHeader('Guias-Modo');
      // A malformed key is a typo: it is not counted as a guess.
      if (identifierOf(key) !== undefined) await this.wrongKeys.count(bucketOfAddress(request.ip));
      return false;
    }
    await this.admit(credential, request, reply);
    return true;
  }

  private admit(credential: Credential, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    request.credential = credential;
    // Only once it is authenticated: with its public part alone, anyone could use up a key's limit.
    return this.limits.count(credential, reply);
  }
}

/** A closed merchant's key may do nothing else. What a GET writes asks for itself whether the merchant is open. */
const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** For the pipe that reads body and query. */
function setCountry({ credential, body, query }: FastifyRequest): void {
  const merchant = credential?.merchant;
  if (!merchant) return;
  for (const parsed of [body, query] as (WithCountry | null | undefined)[])
    if (typeof parsed === 'object' && parsed !== null) {
      parsed[COUNTRY] = merchant.country;
      parsed[CURRENCY] = merchant.currency;
    }
}

/** The scheme may stand twice: people paste it into pages that write it, too. */
function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +(?:Bearer +)?(\S+) *$/i.exec(header)?.[1];
}

/** Only 429 is rethrown; any other failure still ends in 404. */
function unlessLimited(error: unknown): void {
  if (error instanceof AppError && error.codigo === 'demasiadas_solicitudes') throw error;
}

/** @param scope that the route needs; undefined for a route that no key opens. */
function withoutScope(scope: string | undefined): AppError {
  return new AppError('sin_permiso', {
    ...(scope !== undefined && { detail: scopeError(scope).detail }),
  });
}

function unauthenticated(): AppError {
  return new AppError('no_autenticado', { headers: { 'WWW-Authenticate': 'Bearer' } });
}
