import { posix } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mayAct, type BoardUser, type StaffRole } from '../../platform/config/board-users.js';
import type { Config } from '../../platform/config/env.js';
import { tileSources } from '../../platform/config/map-tiles.js';
import { isSameSecret } from '../../platform/config/secrets.js';
import { GuessLimits } from '../../auth/guess-limits.js';
import { AppError } from '../../platform/errors/app-error.js';
import { STAFF_DECORATOR } from '../../platform/http/console.js';
import { isOwnPage } from '../../platform/http/own-page.js';

const ADMIN_PATH = '/admin';

/** @param sources of map tiles. */
const headersWith = (sources: string[]) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...sources].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'self'",
    "form-action 'self'",
  ].join('; '),
  'X-Robots-Tag': 'noindex',
  // With `no-referrer` a form's `Origin` is `null`, and `isOwnPage` could not detect another site's forms.
  'Referrer-Policy': 'same-origin',
});

export type StaffUser = Pick<BoardUser, 'name' | 'role'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The user that `protectAdmin` let in; undefined for a request outside of `/admin`. */
    adminUser?: StaffUser;
  }
}

/**
 * Requires Basic authentication of everything below `/admin`; what is no page there (unknown paths, the board) also by
 * `checkStaff`. Call it before a handler for unknown routes is set, so that strangers cannot tell which paths exist.
 * @param publicUrl PUBLIC_URL, an origin. @param tiles of the maps.
 */
export function protectAdmin(
  fastify: FastifyInstance,
  users: readonly BoardUser[],
  { publicUrl, tiles }: Pick<Config, 'publicUrl' | 'tiles'>,
): void {
  const headers = headersWith(tileSources(tiles));
  const login = new Login(users);
  fastify.decorateRequest(STAFF_DECORATOR, undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isBelowAdmin(request)) return done();
    void reply.headers(headers);
    const entered = login.userOf(request).then((user) => {
      request.adminUser = user;
      if (request.routeOptions.config.page === undefined)
        checkStaff(request, publicUrl, isRead(request) ? 'lectura' : 'soporte');
    });
    entered.then(() => done(), done);
  });
}

/**
 * Refuses changes that other sites' pages ask for, and users without the role that is needed.
 * @throws AppError `sin_permiso`; `no_encontrado` without board users: then there is no console.
 */
export function checkStaff(request: FastifyRequest, publicUrl: string | undefined, need: StaffRole): void {
  const { adminUser: user } = request;
  if (user === undefined) throw new AppError('no_encontrado');
  if (!isRead(request) && need !== 'lectura' && !isOwnPage(request, publicUrl))
    throw new AppError('sin_permiso', {
      detail: 'Los cambios solo se aceptan desde las páginas de soporte.',
    });
  if (mayAct(user, need)) return;
  throw new AppError('sin_permiso', {
    detail: `Su usuario tiene el rol \`${user.role}\`. Pídalo a alguien con el rol \`${need}\`.`,
  });
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

class Login {
  private readonly guesses = new GuessLimits();

  constructor(private readonly users: readonly BoardUser[]) {}

  /** @throws AppError `no_autenticado`, or `demasiadas_solicitudes` after too many wrong passwords. */
  async userOf({ headers, ip }: FastifyRequest): Promise<StaffUser> {
    const given = basicCredentials(headers.authorization);
    if (given === undefined) throw unauthenticated();
    const guess = await this.guesses.count(ip, given.split(':', 1)[0]);
    const user = this.find(given);
    if (user === undefined) throw unauthenticated();
    await guess.refund();
    return user;
  }

  /** In constant time: compares with every user. */
  private find(credentials: string): StaffUser | undefined {
    let found: StaffUser | undefined;
    for (const { name, password, role } of this.users)
      if (isSameSecret(credentials, `${name}:${password}`)) found = { name, role };
    return found;
  }
}

/** `name:password`; undefined without a Basic header, which does not count as a guess. */
function basicCredentials(header: string | undefined): string | undefined {
  const encoded = header === undefined ? undefined : /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
}

function unauthenticated(): AppError {
  return new AppError('no_autenticado', {
    detail: 'Entre con su usuario y su contraseña de soporte.',
    headers: { 'WWW-Authenticate': 'Basic realm="Guias", charset="UTF-8"' },
  });
}

/** Decides by the route; without a route, by the completely decoded path. */
function isBelowAdmin({ routeOptions, url }: FastifyRequest): boolean {
  const path = routeOptions.url ?? canonicalPath(url);
  return path === ADMIN_PATH || path.startsWith(`${ADMIN_PATH}/`);
}

/** A request target's path without host, encodings, case, `//`, `/./`, `..`, `\`, `;…`, dots and spaces. */
function canonicalPath(target: string): string {
  let path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)[0]!;
  for (let layer = 0; layer < 3; layer++) path = decoded(path);
  const plain = path
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/;[^/]*/g, '');
  return posix.normalize(`/${plain}`).replace(/[.\s]/g, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
