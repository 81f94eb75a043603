import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FastifyReply } from 'fastify';
import { Repository } from 'typeorm';
import { GuessLimits } from '../../../auth/guess-limits.js';
import { KeyLimits } from '../../../auth/key-limits.js';
import { AuthenticationService, type Credential } from '../../../auth/keys/authentication.service.js';
import type { ClaveApi } from '../../../auth/keys/clave-api.entity.js';
import { includesScope } from '../../../auth/keys/scopes.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Visit } from '../visit.js';
import { PanelSesion } from './panel-sesion.entity.js';

/** Seconds from signing in to the end of a session. */
export const SESSION_S = 12 * 3_600;

const IN_HEADER = /(?:^|;) *guias_panel=([^;]*)/;

/** The session's token in a `Cookie` header; empty where there is none. */
export function tokenIn(header: string | undefined): string {
  return IN_HEADER.exec(header ?? '')?.[1] ?? '';
}

/** A `Set-Cookie` header: of the panel alone, unseen by scripts, not sent by other sites' pages. */
export function sessionCookie(token: string, isOverTls: boolean): string {
  const age = token === '' ? 0 : SESSION_S;
  return `guias_panel=${token}; Path=/panel; Max-Age=${age}; HttpOnly; SameSite=Strict${isOverTls ? '; Secure' : ''}`;
}

/** A token as it is made here; anything else needs no query. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The public id of what may be a key, also of one that was mistyped. */
const KEY_ID = /^gk_(?:live|test)_([0-9A-Za-z]{8})_/;

/** Sessions of a merchant, by all of its keys; the newest stay. */
const MAX_SESSIONS = 20;

/** Begins a session, for which the merchant's oldest one beyond the limit ends. */
const INSERT = `with ended as (
    delete from panel_sesiones where huella in (
      select s.huella from panel_sesiones s join claves_api k on k.id = s.clave_id
      where k.comercio_id = $4 and s.vence_en > now()
      order by s.vence_en desc, s.huella offset ${MAX_SESSIONS - 1}
    )
  )
  insert into panel_sesiones (huella, clave_id, vence_en) values ($1, $2, now() + $3 * interval '1 second')`;

/** The public id of the key of a session that has not ended, and the seconds that are left. */
const FIND = `select k.identificador, extract(epoch from s.vence_en - now())::int as quedan
  from panel_sesiones s join claves_api k on k.id = s.clave_id
  where s.huella = $1 and s.vence_en > now()`;

/** The sessions of the panel. They are in the database alone, so that they hold in every process. */
@Injectable()
export class SessionsService {
  private readonly guesses = new GuessLimits();

  constructor(
    private readonly database: Database,
    @InjectRepository(PanelSesion) private readonly sessions: Repository<PanelSesion>,
    private readonly authentication: AuthenticationService,
    private readonly limits: KeyLimits,
  ) {}

  /**
   * Begins a session with a merchant's key, always with a new token.
   * @throws AppError `no_autenticado`, the same for every key that opens nothing; `sin_permiso` for a key that may not read
   *   guides; `demasiadas_solicitudes` after too many wrong tries, or beyond the key's limit.
   */
  async begin(apiKey: string, ip: string, reply: FastifyReply): Promise<string> {
    const guess = await this.guesses.count(ip, KEY_ID.exec(apiKey)?.[1]);
    const credential = await this.authentication.authenticate(apiKey);
    if (!credential?.merchant) throw new AppError('no_autenticado');
    await guess.refund();
    await this.limits.count(credential.keyId, reply);
    if (!includesScope(credential.scopes, 'guias:leer'))
      throw new AppError('sin_permiso', {
        detail: 'Esta clave no puede ver guías. Entre con una que sí pueda.',
      });
    const token = randomBytes(32).toString('base64url');
    const values = [fingerprint(token), credential.keyId, SESSION_S, credential.merchant.id];
    await this.database.query({ text: INSERT, values });
    return token;
  }

  /** The session of a token; undefined if it or its key has ended. */
  async find(
    token: string,
  ): Promise<{ credential: Credential; session: Pick<Visit, 'sesion' | 'secondsLeft'> } | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const sesion = fingerprint(token);
    const query = { name: 'panel-session', text: FIND, values: [sesion] };
    const { rows } = await this.database.query<Pick<ClaveApi, 'identificador'> & { quedan: number }>(query);
    const credential = rows[0] && (await this.authentication.ofIdentifier(rows[0].identificador));
    return credential && { credential, session: { sesion, secondsLeft: rows[0]!.quedan } };
  }

  async end(token: string): Promise<void> {
    if (!TOKEN.test(token)) return;
    await this.sessions.delete({ huella: fingerprint(token) });
  }
}

const fingerprint = (token: string) => hash('sha256', token, 'buffer');
