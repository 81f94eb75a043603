import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../errors/app-error.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import type { Scope } from './keys/scopes.js';
import { PUBLIC, SCOPE, type AuthenticatedRequest } from './decorators.js';
import { RateLimiter } from './rate-limiter.js';

/** Closed by default: a route without `@Public()` needs a valid key with the scope it names. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly rateLimiter: RateLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    if (this.reflector.get<boolean>(PUBLIC, handler)) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const key = bearerToken(request.headers.authorization);
    const credential = key === undefined ? undefined : await this.keys.authenticate(key);
    if (!credential) throw new AppError('no_autenticado', { headers: { 'WWW-Authenticate': 'Bearer' } });
    request.credential = credential;
    // After authentication: anyone may know the public part of a merchant's key.
    await this.rateLimiter.count(credential.keyId);
    const scope = this.reflector.get<Scope | undefined>(SCOPE, handler);
    if (!scope || !credential.scopes.includes(scope)) throw new AppError('sin_permiso');
    return true;
  }
}

function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(header)?.[1];
}
