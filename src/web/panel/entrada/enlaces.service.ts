import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, Repository, type EntityManager } from 'typeorm';
import { bucketOfAddress, RateLimiter } from '../../../auth/rate-limiter.js';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { CorreosService } from '../../../correos/correos.service.js';
import { TrackingLinksService } from '../../../guias/tracking/tracking-links.service.js';
import { Database } from '../../../platform/database/database.js';
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

/** Minutes that a link signs in. */
const ENTRY_MIN = 15;

/** Hours that a link confirms an address. */
const CONFIRMATION_H = 24;

/** ms until a request for a link is answered: longer than it takes to write a mail, so that the time tells nothing. */
const ANSWER_MS = 300;

/** A shop, as whoever has its address sees it. */
export interface Shop {
  id: string;
  nombre: string;
}

/** What came of a link that signs in: a session, or the choice of a shop, which the next link takes. */
type Entry = { session: NewSession } | { shops: Shop[]; token: string };

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

const TAKE = `delete from panel_enlaces where huella = $1 and vence_en > now()`;

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
    private readonly links: TrackingLinksService,
  ) {}

  /** Sends a link to sign in, where the address is of a shop and no limit is reached; whether it was sent, nobody learns. */
  async sendEntry(correo: string, ip: string): Promise<void> {
    await Promise.all([this.sendLink(correo, ip), sleep(ANSWER_MS)]);
  }

  private async sendLink(correo: string, ip: string): Promise<void> {
    if (!(await isWithin(this.asked, ip))) return;
    await this.database.managed(correo, async (manager) => {
      const mayBeSent = await this.isBelowLimit(manager, correo);
      const shops = await manager.query<Shop[]>(SHOPS, [correo]);
      if (shops.length === 0 || !mayBeSent || !(await isWithin(this.sent, ip))) return;
      const url = await this.make(manager, { correo, comercio_id: null }, `${ENTRY_MIN} minutes`, 'entrar');
      const [shop] = shops.length === 1 ? shops : [];
      await this.correos.write(manager, {
        comercioId: shop?.id ?? null,
        para: correo,
        clase: 'entrada',
        asunto: 'Su enlace para entrar',
        parrafos: [
          `Entre al panel de ${shop ? shop.nombre : 'sus tiendas'}. El enlace sirve ${ENTRY_MIN} minutos, y una sola vez.`,
          'Si usted no lo pidió, no haga nada: sin este enlace nadie entra.',
        ],
        boton: { texto: 'Entrar al panel', url },
      });
    });
  }

  /** Sends a link that gives a shop an address, in place of one sent before. No more than `sendEntry` is sent. */
  async sendConfirmation({ id, name }: Merchant, correo: string, ip: string): Promise<void> {
    await this.database.managed(correo, async (manager) => {
      if (!(await this.isBelowLimit(manager, correo)) || !(await isWithin(this.sent, ip))) return;
      await manager.query('select from comercios where id = $1 for no key update', [id]);
      await manager.delete(PanelEnlace, { comercio_id: id });
      const enlace = { correo, comercio_id: id };
      const url = await this.make(manager, enlace, `${CONFIRMATION_H} hours`, 'correo');
      await this.correos.write(manager, {
        comercioId: id,
        para: correo,
        clase: 'confirmacion',
        asunto: 'Confirme su correo',
        parrafos: [
          `Desde el panel de ${name} se pidió que sus avisos lleguen aquí, y que con este correo se entre. El enlace sirve ${CONFIRMATION_H} horas.`,
          'Si usted no lo pidió, no haga nada: nada cambia.',
        ],
        boton: { texto: 'Confirmar este correo', url },
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
  async enter(token: string, chosen: string | undefined): Promise<Entry | undefined> {
    if (!TOKEN.test(token)) return undefined;
    return this.database.managed(token, async (manager) => {
      const link = await this.take(
        manager,
        `${TAKE} and comercio_id is null returning correo, vence_en`,
        token,
      );
      if (!link) return undefined;
      const { correo, vence_en } = link;
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
  async confirm(token: string): Promise<{ correo: string; nombre: string } | undefined> {
    if (!TOKEN.test(token)) return undefined;
    return this.database.managed(token, async (manager) => {
      const text = `${TAKE} and comercio_id is not null returning correo, comercio_id`;
      const link = await this.take(manager, text, token);
      if (!link) return undefined;
      const { correo, comercio_id } = link;
      const [[shop]] = await manager.query<[Pick<Shop, 'nombre'>[]]>(REPLACE, [comercio_id, correo]);
      if (!shop) return undefined;
      await this.sessions.endByMail(manager, comercio_id!);
      return { correo, nombre: shop.nombre };
    });
  }

  private async take(manager: EntityManager, text: string, token: string): Promise<PanelEnlace | undefined> {
    const [[link]] = await manager.query<[PanelEnlace[]]>(text, [fingerprint(token)]);
    return link;
  }

  /** The same work for every address. Of requests that come at once for an address, each counts the mails of the others. */
  private async isBelowLimit(manager: EntityManager, correo: string): Promise<boolean> {
    await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [correo]);
    const [{ enviados }] = await manager.query<[{ enviados: number }]>(SENT, [correo]);
    return enviados < TO_ADDRESS;
  }

  /** @param lasts as PostgreSQL writes an interval. @returns its address. */
  private async make(
    manager: EntityManager,
    enlace: Pick<PanelEnlace, 'correo' | 'comercio_id'>,
    lasts: string,
    path: 'entrar' | 'correo',
  ): Promise<string> {
    const token = newToken();
    const vence_en = () => `now() + interval '${lasts}'`;
    await manager.insert(PanelEnlace, { ...enlace, huella: fingerprint(token), vence_en });
    return `${this.links.origin()}/panel/${path}/${token}`;
  }
}

/** Counts one for a client. @returns false beyond the limit. */
const isWithin = (limiter: RateLimiter, ip: string): Promise<boolean> =>
  limiter.count(bucketOfAddress(ip)).then(
    () => true,
    () => false,
  );
