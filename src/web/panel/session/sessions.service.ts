import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Repository, type EntityManager } from 'typeorm';
import { GuessLimits } from '../../../auth/guess-limits.js';
import { KeyLimits } from '../../../auth/key-limits.js';
import { AuthenticationService, type Credential } from '../../../auth/keys/authentication.service.js';
import { includesScope, type Scope } from '../../../auth/keys/scopes.js';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { toMerchant } from '../../../auth/merchants/to-merchant.js';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import { join, raw, sql, statement, type Sql } from '../../../platform/database/sql.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { seeOther, type PageAnswer } from '../../kit/page-answer.js';
import type { Visit } from '../visit.js';
import { PanelSesion } from './panel-sesion.entity.js';

/** Seconds from signing in to the end of a session with a key, and of one that began by mail. */
const KEY_SESSION_S = 12 * 3_600;
const MAIL_SESSION_S = 30 * 24 * 3_600;

/** Scopes of sessions that began by mail, and the rest of them once the merchant is closed. */
const MAIL_SCOPES: readonly Scope[] = ['guias:leer', 'guias:escribir', 'claves'];
const CLOSED_MAIL_SCOPES: readonly Scope[] = ['guias:leer'];

const IN_HEADER = /(?:^|;) *guias_panel=([^;]*)/;

/** The session's token in a `Cookie` header; empty where there is none. */
export function tokenIn(header: string | undefined): string {
  return IN_HEADER.exec(header ?? '')?.[1] ?? '';
}

export interface NewSession {
  token: string;
  /** s; 0 takes the cookie away. */
  age: number;
}

/** A `Set-Cookie` header: of the panel alone, unseen by scripts, not sent by other sites' pages. */
function cookieOf({ token, age }: NewSession, isOverTls: boolean): string {
  return `guias_panel=${token}; Path=/panel; Max-Age=${age}; HttpOnly; SameSite=Strict${isOverTls ? '; Secure' : ''}`;
}

/** A token as it is made here; anything else needs no query. */
export const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The public id of what may be a key, also of one that was mistyped. */
const KEY_ID = /^gk_(?:live|test)_([0-9A-Za-z]{8})_/;

/** Sessions of a merchant by all of its keys, and by mail; of each kind the newest stay. */
const MAX_SESSIONS = 20;

/**
 * Begins a session, for which the merchant's oldest one of its kind beyond the limit ends.
 * @param kind SQL of the merchant's sessions `s` of the kind. @param owner whose it is, by column.
 */
const insertSession = ({ token, age }: NewSession, kind: Sql, owner: Record<string, string>) =>
  statement(sql`with ended as (
      delete from panel_sesiones where huella in (
        select s.huella from panel_sesiones s ${kind} and s.vence_en > now()
        order by s.vence_en desc, s.huella offset ${MAX_SESSIONS - 1}
      )
    )
    insert into panel_sesiones (huella, ${raw(Object.keys(owner).join(', '))}, vence_en)
    values (${fingerprint(token)}, ${join(Object.values(owner))}, now() + ${age} * interval '1 second')`);

/** The session of a token that has not ended: the public id of its key, or the merchant that still has its address. */
const FIND = `select k.identificador, extract(epoch from s.vence_en - now())::int as quedan, c.id, c.nombre, c.pais,
    c.moneda, c.prueba_de, c.cerrado_en
  from panel_sesiones s left join claves_api k on k.id = s.clave_id
  left join comercios c on c.id = s.comercio_id and c.correo = s.correo
  where s.huella = $1 and s.vence_en > now()`;

/** The columns of a merchant are null for a session with a key, and once the merchant has another address. */
type SessionRow = { identificador: string | null; quedan: number } & (
  Pick<Comercio, 'id' | 'nombre' | 'pais' | 'moneda' | 'prueba_de' | 'cerrado_en'> | { id: null }
);

/** The sessions of the panel. They are in the database alone, so that they hold in every process. */
@Injectable()
export class SessionsService {
  private readonly guesses = new GuessLimits();

  constructor(
    private readonly config: Config,
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
  async begin(apiKey: string, ip: string, reply: FastifyReply): Promise<NewSession> {
    const guess = await this.guesses.count(ip, KEY_ID.exec(apiKey)?.[1]);
    const credential = await this.authentication.authenticate(apiKey);
    if (!credential?.merchant || credential.keyId === null) throw new AppError('no_autenticado');
    await guess.refund();
    await this.limits.count(credential, reply);
    if (!includesScope(credential.scopes, 'guias:leer'))
      throw new AppError('sin_permiso', {
        detail: 'Esta clave no puede ver guías. Entre con una que sí pueda.',
      });
    const session = { token: newToken(), age: KEY_SESSION_S };
    const byKey = sql`join claves_api k on k.id = s.clave_id where k.comercio_id = ${credential.merchant.id}`;
    await this.database.query(insertSession(session, byKey, { clave_id: credential.keyId }));
    return session;
  }

  /** Begins a session of a merchant whose address was proved. @param manager of the transaction that used up the proof. */
  async beginByMail(manager: EntityManager, comercioId: string, correo: string): Promise<NewSession> {
    const session = { token: newToken(), age: MAIL_SESSION_S };
    const byMail = sql`where s.comercio_id = ${comercioId}`;
    const { text, values } = insertSession(session, byMail, { comercio_id: comercioId, correo });
    await manager.query(text, values);
    return session;
  }

  /** The session of a token; undefined if it or its key has ended. */
  async find(
    token: string,
  ): Promise<{ credential: Credential; session: Pick<Visit, 'sesion' | 'secondsLeft'> } | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const sesion = fingerprint(token);
    const query = { name: 'panel-session', text: FIND, values: [sesion] };
    const [row] = (await this.database.query<SessionRow>(query)).rows;
    const credential = row && (await this.credentialOf(row));
    return credential && { credential, session: { sesion, secondsLeft: row.quedan } };
  }

  private async credentialOf(row: SessionRow): Promise<Credential | undefined> {
    if (row.identificador !== null) return this.authentication.ofIdentifier(row.identificador);
    if (row.id === null) return undefined;
    const isClosed = row.cerrado_en !== null;
    const scopes = isClosed ? CLOSED_MAIL_SCOPES : MAIL_SCOPES;
    return { keyId: null, keyPrefix: null, scopes, merchant: toMerchant(row), isClosed };
  }

  async end(token: string): Promise<void> {
    if (!TOKEN.test(token)) return;
    await this.sessions.delete({ huella: fingerprint(token) });
  }

  /** Leads to a page of the panel with a session in the cookie, or none, in place of the one before. */
  async goOn(
    path: string,
    { protocol, headers }: FastifyRequest,
    session: NewSession = { token: '', age: 0 },
  ): Promise<PageAnswer> {
    await this.end(tokenIn(headers.cookie));
    const isOverTls = protocol === 'https' || this.config.publicUrl?.startsWith('https:') === true;
    return seeOther(path, { 'Set-Cookie': cookieOf(session, isOverTls) });
  }
}

/** A token of a session, or of a link of the panel. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The stored hash of a token. */
export const fingerprint = (token: string): Buffer => hash('sha256', token, 'buffer');
