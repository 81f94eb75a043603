import { posix } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mayAct, type BoardUser, type StaffRole } from '../../config/board-users.js';
import type { Config } from '../../config/env.js';
import { tileSources } from '../../config/map-tiles.js';
import { isSameSecret } from '../../config/secrets.js';
import { GuessLimits } from '../../auth/guess-limits.js';
import { AppError } from '../../errors/app-error.js';
import { STAFF_DECORATOR } from '../../http/console.js';
import { isOwnPage } from '../../http/own-page.js';

/** Support staff only. */
const ADMIN_PATH = '/admin';
const SEARCH_PATH = '/admin/buscar';

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

/** Somebody of support. */
export type StaffUser = Pick<BoardUser, 'name' | 'role'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The user that `protectAdmin` let in; undefined for a request outside of `/admin`. */
    adminUser?: StaffUser;
  }

  interface FastifyContextConfig {
    /** The role that a route below `/admin` needs; default: `lectura` to read, `soporte` to change. */
    staffRole?: StaffRole | undefined;
  }
}

/**
 * Requires Basic authentication below `/admin`, and refuses changes that other sites' pages ask for, and users without the
 * route's role. Call it before a handler for unknown routes is set, so that strangers cannot tell which paths exist.
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
    login.userOf(request).then((user) => {
      request.adminUser = user;
      done(accessFault(request, user, publicUrl));
    }, done);
  });
}

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

/** Why a request is refused; undefined if it is not. */
function accessFault(
  request: FastifyRequest,
  user: StaffUser,
  publicUrl: string | undefined,
): AppError | undefined {
  const reads = isRead(request);
  if (!reads && !isOwnPage(request, publicUrl))
    return new AppError('sin_permiso', {
      detail: 'Los cambios solo se aceptan desde las páginas de soporte.',
    });
  const role = request.routeOptions.config.staffRole ?? (reads ? 'lectura' : 'soporte');
  if (mayAct(user, role)) return undefined;
  return new AppError('sin_permiso', {
    detail: `Su usuario tiene el rol \`${user.role}\`. Pídalo a alguien con el rol \`${role}\`.`,
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

/** Also the search, which is posted. */
function isRead({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || routeOptions.url === SEARCH_PATH;
}
