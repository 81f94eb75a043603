import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, Repository, type EntityManager } from 'typeorm';
import { bucketOfAddress, RateLimiter } from '../../../auth/rate-limiter.js';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { CorreosService, type NuevoCorreo } from '../../../correos/correos.service.js';
import { Database } from '../../../platform/database/database.js';
import { PanelSesion } from '../session/panel-sesion.entity.js';
import {
  fingerprint,
  newToken,
  SessionsService,
  TOKEN,
  type NewSession,
} from '../session/sessions.service.js';
import { PanelEnlace } from './panel-enlace.entity.js';

const HOUR_S = 3_600;

/** Mails with a link in an hour: to an address, and for a client's address. */
const TO_ADDRESS = 5;
const FOR_CLIENT = 20;

/** Links that a client's address asks for in a minute; beyond that nothing is looked up. */
const ASKED = 100;

const ENTRY_MIN = 15;

const CONFIRMATION_H = 24;

/** ms until a request for a link is answered: longer than it takes to write a mail, so that the time tells nothing. */
const ANSWER_MS = 300;

export interface Shop {
  id: string;
  nombre: string;
}

/** Result of a link that signs in: a session, or the choice of a shop, which the next link takes. */
type Entry = { session: NewSession } | { shops: Shop[]; token: string };

/** The mail with a link: what it is for, what holds for whoever did not ask for it, and its button. */
type LinkMail = Pick<NuevoCorreo, 'comercioId' | 'clase' | 'asunto'> &
  Record<'says' | 'unasked' | 'boton', string>;

const SHOPS = 'select id, nombre from comercios where correo = $1 order by nombre, id';

/** An address is confirmed, and takes mails, where a link arrived that was sent to it. */
const CONFIRM = `update comercios set correo_confirmado_en = coalesce(correo_confirmado_en, now()), correo_rechazo = null
  where correo = $1 and (correo_confirmado_en is null or correo_rechazo is not null)`;

const REPLACE = `update comercios set correo = $2, correo_confirmado_en = now(), correo_rechazo = null
  where id = $1 and cerrado_en is null returning nombre`;

const SENT = `select count(*)::int as enviados from correos
  where para = $1 and clase in ('entrada', 'confirmacion') and creado_en > now() - interval '1 hour'`;

/** On the database's clock. */
const working = () => Raw((column) => `${column} > now()`);

/** The links that are sent by mail: each works once. */
@Injectable()
export class EnlacesService {
  private readonly asked = new RateLimiter(ASKED);
  private readonly sent = new RateLimiter(FOR_CLIENT, HOUR_S);

  constructor(
    private readonly database: Database,
    @InjectRepository(PanelEnlace) private readonly enlaces: Repository<PanelEnlace>,
    private readonly correos: CorreosService,
    private readonly sessions: SessionsService,
  ) {}

  /** Sends a link to sign in, where the address is of a shop and no limit is reached; whether it was sent, nobody learns. */
  async sendEntry(correo: string, ip: string): Promise<void> {
    await Promise.all([this.sendLink(correo, ip), sleep(ANSWER_MS)]);
  }

  private async sendLink(correo: string, ip: string): Promise<void> {
    if (!(await isWithin(this.asked, ip))) return;
    await this.database.managed(correo, async (manager) => {
      // The same work for every address.
      const mayBeSent = await this.isBelowLimit(manager, correo);
      const shops = await manager.query<Shop[]>(SHOPS, [correo]);
      if (shops.length === 0 || !mayBeSent || !(await isWithin(this.sent, ip))) return;
      const [shop] = shops.length === 1 ? shops : [];
      await this.send(manager, { correo, comercio_id: null }, `${ENTRY_MIN} minutes`, '/panel/entrar', {
        comercioId: shop?.id ?? null,
        clase: 'entrada',
        asunto: 'Su enlace para entrar',
        says: `Entre al panel de ${shop ? shop.nombre : 'sus tiendas'}. El enlace sirve ${ENTRY_MIN} minutos, y una sola vez.`,
        unasked: 'sin este enlace nadie entra',
        boton: 'Entrar al panel',
      });
    });
  }

  /** Sends a link that gives a shop an address, in place of one sent before. No more than `sendEntry` is sent. */
  async sendConfirmation({ id, name }: Merchant, correo: string, ip: string): Promise<void> {
    await this.database.managed(correo, async (manager) => {
      if (!(await this.isBelowLimit(manager, correo)) || !(await isWithin(this.sent, ip))) return;
      await manager.query('select from comercios where id = $1 for no key update', [id]);
      await manager.delete(PanelEnlace, { comercio_id: id });
      await this.send(manager, { correo, comercio_id: id }, `${CONFIRMATION_H} hours`, '/panel/correo', {
        comercioId: id,
        clase: 'confirmacion',
        asunto: 'Confirme su correo',
        says: `Desde el panel de ${name} se pidió que sus avisos lleguen aquí, y que con este correo se entre. El enlace sirve ${CONFIRMATION_H} horas.`,
        unasked: 'nada cambia',
        boton: 'Confirmar este correo',
      });
    });
  }

  /** The address that waits to be confirmed for a shop. */
  waiting(comercioId: string): Promise<PanelEnlace | null> {
    return this.enlaces.findOneBy({ comercio_id: comercioId, vence_en: working() });
  }

  /** A link that still works, and changes nothing. */
  async find(token: string): Promise<PanelEnlace | null> {
    if (!TOKEN.test(token)) return null;
    return this.enlaces.findOneBy({ huella: fingerprint(token), vence_en: working() });
  }

  /**
   * Uses up a link that signs in. Where several shops have its address and none of them is chosen, another link takes the
   * choice, for the time that is left.
   * @returns undefined for a link that does not work (any more).
   */
  enter(token: string, chosen: string | undefined): Promise<Entry | undefined> {
    return this.use(token, 'comercio_id is null', async (manager, { correo, vence_en }) => {
      await manager.query(CONFIRM, [correo]);
      const shops = await manager.query<Shop[]>(SHOPS, [correo]);
      if (shops.length === 0) return undefined;
      const shop = shops.length === 1 ? shops[0] : shops.find(({ id }) => id === chosen);
      if (shop) return { session: await this.sessions.beginByMail(manager, shop.id, correo) };
      const next = newToken();
      await manager.insert(PanelEnlace, { huella: fingerprint(next), correo, comercio_id: null, vence_en });
      return { shops, token: next };
    });
  }

  /**
   * Uses up a link that confirms an address: the shop has it from now on, and its sessions by mail end.
   * @returns what was confirmed; undefined for a link that does not work (any more).
   */
  confirm(token: string): Promise<{ correo: string; nombre: string } | undefined> {
    return this.use(token, 'comercio_id is not null', async (manager, { correo, comercio_id }) => {
      const [[shop]] = await manager.query<[Pick<Shop, 'nombre'>[]]>(REPLACE, [comercio_id, correo]);
      if (!shop) return undefined;
      await manager.delete(PanelSesion, { comercio_id: comercio_id! });
      return { correo, nombre: shop.nombre };
    });
  }

  /** @param kind SQL condition of the links that act here. */
  private async use<T>(
    token: string,
    kind: string,
    act: (manager: EntityManager, link: PanelEnlace) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const text = `delete from panel_enlaces where huella = $1 and vence_en > now() and ${kind} returning *`;
    return this.database.managed(token, async (manager) => {
      const [[link]] = await manager.query<[PanelEnlace[]]>(text, [fingerprint(token)]);
      return link && act(manager, link);
    });
  }

  /** Of requests that come at once for an address, each counts the mails of the others. */
  private async isBelowLimit(manager: EntityManager, correo: string): Promise<boolean> {
    await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [correo]);
    const [{ enviados }] = await manager.query<[{ enviados: number }]>(SENT, [correo]);
    return enviados < TO_ADDRESS;
  }

  /** Makes a link and writes its mail. @param lasts as PostgreSQL writes an interval. @param path of its page. */
  private async send(
    manager: EntityManager,
    enlace: Pick<PanelEnlace, 'correo' | 'comercio_id'>,
    lasts: string,
    path: string,
    { says, unasked, boton, ...mail }: LinkMail,
  ): Promise<void> {
    const token = newToken();
    const vence_en = () => `now() + interval '${lasts}'`;
    await manager.insert(PanelEnlace, { ...enlace, huella: fingerprint(token), vence_en });
    await this.correos.write(manager, {
      ...mail,
      para: enlace.correo,
      parrafos: [says, `Si usted no lo pidió, no haga nada: ${unasked}.`],
      boton: { texto: boton, url: this.correos.url(`${path}/${token}`) },
    });
  }
}

/** Counts one for a client. @returns false beyond the limit. */
const isWithin = (limiter: RateLimiter, ip: string): Promise<boolean> =>
  limiter.count(bucketOfAddress(ip)).then(
    () => true,
    () => false,
  );
