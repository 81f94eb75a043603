import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { AvisosSweep } from '../../src/correos/avisos/correo-avisos.service.js';
import { CORREOS } from '../../src/correos/correos.queue.js';
import { CorreosService } from '../../src/correos/correos.service.js';
import { ResumenService } from '../../src/correos/resumen/resumen.service.js';
import { CorreoSenderService } from '../../src/correos/sending/correo-sender.service.js';
import { Config } from '../../src/platform/config/env.js';
import { Database } from '../../src/platform/database/database.js';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { SweepsService } from '../../src/platform/queues/sweeps.service.js';
import { EnlacesService } from '../../src/web/panel/entrada/enlaces.service.js';
import { eventually } from '../support/eventually.js';
import { APP_SECRET } from '../support/guia-body.js';
import { Lives } from '../support/lives.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';
import { PanelBrowser } from '../support/panel.js';
import { createTestApp, type TestApp, type TestMerchant, type TestOperator } from '../support/test-app.js';
import { useTestApp } from '../support/use.js';
import { ALL_MAIL_FAULTS, PostOffice, type TakenMail } from './post-office.js';
import { Victim } from './victim.js';

/** `npm run torture -- mails` makes more. */
const ROUNDS = Number(process.env.MAIL_ROUNDS ?? 40);
const KILLS = Number(process.env.MAIL_KILLS ?? 1);

const SHOPS = 5;
/** Statements of a sending process before which, or after which, it may die. */
const MAX_STATEMENTS = 24;
/** What happens in the life of a worker, and how many ms it lives at most after it. */
const ACTS = 4;
const LIFE_MS = 6_000;
const DAY_MS = 86_400_000;
const FIRST_MORNING = Date.parse('2027-01-15T13:30:00Z');

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
const never = () => new Promise<never>(() => undefined);

interface Shop extends TestMerchant {
  nombre: string;
  correo: string;
  wants: { aviso: boolean; resumen: boolean };
  /** Since the last look: addresses that it had, and what it wanted at any time. */
  had: Set<string>;
  wanted: { aviso: boolean; resumen: boolean };
}

/** A sending process inside this one, which dies or has an error at a statement: from its death on, nothing of it is written. */
class Life {
  hasDied = false;
  readonly death: Promise<void>;
  die!: () => void;
  private left = 1 + Math.floor(Math.random() * MAX_STATEMENTS);

  constructor(
    real: Database,
    private readonly end: 'none' | 'dies' | 'fails',
  ) {
    this.death = new Promise((resolve) => {
      this.die = () => {
        this.hasDied = true;
        resolve();
      };
    });
    this.database = new Proxy(real, {
      get: (_, name) => {
        if (name === 'query') return this.around((config: never) => real.query(config));
        if (name === 'managed')
          return this.around((key: string, work: (manager: EntityManager) => Promise<unknown>) =>
            real.managed(key, (manager) => work(this.inside(manager))),
          );
        const value: unknown = Reflect.get(real, name, real);
        return typeof value === 'function' ? (value.bind(real) as unknown) : value;
      },
    });
  }

  readonly database: Database;

  /** A transaction whose process dies is rolled back. */
  private inside(manager: EntityManager): EntityManager {
    return new Proxy(manager, {
      get: (_, name) => {
        const value = Reflect.get(manager, name, manager) as (...args: unknown[]) => Promise<unknown>;
        if (name !== 'query' && name !== 'insert') return value;
        return async (...args: unknown[]) => {
          this.step();
          const result = await value.apply(manager, args);
          this.step();
          return result;
        };
      },
    });
  }

  private around<A extends unknown[]>(run: (...args: A) => Promise<unknown>) {
    return async (...args: A): Promise<unknown> => {
      try {
        this.step();
        const result = await run(...args);
        this.step();
        return result;
      } catch (error) {
        if (this.hasDied) return never();
        throw error;
      }
    };
  }

  private step(): void {
    if (!this.hasDied && this.end !== 'none' && --this.left === 0) {
      if (this.end === 'fails') throw new Error('Connection terminated unexpectedly');
      this.die();
    }
    if (this.hasDied) throw new Error('this process has died');
  }
}

/** Shops, what happens to them, and the mails that are due for it. */
class MailModel {
  readonly shops: Shop[] = [];
  /** Guides that a shop is to be told of, and by which mail it was. */
  private readonly due = new Map<string, Shop>();
  private readonly toldBy = new Map<string, string>();
  /** Numbers of guides, by id. */
  private readonly numbers = new Map<string, string>();
  /** Summaries of this morning, by shop. */
  private summaries = new Map<string, number>();
  /** Shops that have wanted one since the morning began. */
  private wanting = new Set<string>();
  /** Whether a process has lived through this morning without a fault. */
  private isWritten = false;
  /** Mails whose outcome was known at the last look, and how many were taken then. */
  private known = new Set<string>();
  private looked = { taken: 0, id: '00000000-0000-0000-0000-000000000000' };
  private addresses = 0;
  private morning = 0;
  private operator!: TestOperator;

  constructor(
    readonly test: TestApp,
    readonly office: PostOffice,
  ) {}

  async open(): Promise<void> {
    this.operator = await this.test.operator();
    for (let n = 0; n < SHOPS; n++) {
      const merchant = await this.test.merchant();
      const all = { aviso: true, resumen: true };
      const correo = this.newAddress();
      const nombre = `Tienda ${'ABCDEFGH'[n]}`;
      await this.set(merchant.id, `nombre = $2, correo = $3`, nombre, correo);
      this.shops.push({
        ...merchant,
        nombre,
        correo,
        wants: { ...all },
        wanted: { ...all },
        had: new Set([correo]),
      });
      // What each morning has something to say of.
      const { id } = await new Lives(this.test, merchant).create();
      await this.test.database.query(`update guias set advertencias = '{telefono_dudoso}' where id = $1`, [
        id,
      ]);
    }
  }

  private newAddress = () => `caja${++this.addresses}@tienda.example`;

  private set(id: string, what: string, ...values: unknown[]) {
    return this.test.database.query(`update comercios set ${what} where id = $1`, [id, ...values]);
  }

  private mailsTo({ nombre }: Shop, path: RegExp): { mail: TakenMail; url: URL }[] {
    return this.office.taken.flatMap((mail) => {
      const url = path.exec(mail.text + (mail.headers['list-unsubscribe'] ?? ''))?.[0];
      return url !== undefined && mail.text.includes(nombre) ? [{ mail, url: new URL(url) }] : [];
    });
  }

  private readonly acts: Record<string, (shop: Shop) => Promise<unknown>> = {
    event: async (shop) => {
      const { id, guia } = await new Lives(this.test, shop).in('en_ruta', { cod_amount: 210 });
      const moved = any([{ estado: 'extraviado' }, { estado: 'entregado', cod_cobrado: 5 }]);
      expect((await this.operator.move(id, moved)).status).toBe(201);
      this.numbers.set(id, guia);
      if (shop.wants.aviso) this.due.set(id, shop);
    },
    signIn: async ({ correo }) => {
      const answer = await this.browser().post('/panel', { correo });
      expect(answer.status).toBe(202);
    },
    change: ({ id, nombre }) =>
      this.test.app
        .get(EnlacesService)
        .sendConfirmation({ id, name: nombre } as never, this.newAddress(), `10.1.0.${this.addresses % 250}`),
    confirm: async (shop) => {
      const found = this.mailsTo(shop, /https:\S+\/panel\/correo\/[\w-]{43}/).at(-1);
      if (!found) return;
      const { status } = await this.browser().post(found.url.pathname, {});
      // 404: used before, or another one was sent.
      expect([200, 404]).toContain(status);
      if (status === 200) this.moves(shop, found.mail.para[0]!);
    },
    set: async (shop) => {
      const correo = this.newAddress();
      await this.test.app.get(MerchantsService).update(shop.id, { correo });
      this.moves(shop, correo);
    },
    leave: async (shop) => {
      const found = any(this.mailsTo(shop, /https:\S+\/panel\/correo\/baja\/[\w.-]+/));
      if (!found) return;
      expect((await this.test.request(found.url.pathname, { method: 'POST' })).status).toBe(200);
      const clase = found.mail.text.includes('No quiero este resumen') ? 'resumen' : 'aviso';
      shop.wants[clase] = false;
      if (clase === 'resumen') this.wanting.delete(shop.id);
      if (clase === 'aviso') for (const [id, owner] of this.due) if (owner === shop) this.due.delete(id);
    },
    comeBack: async (shop) => {
      await this.set(shop.id, 'con_avisos = true, con_resumen = true');
      for (const clase of ['aviso', 'resumen'] as const) shop.wants[clase] = shop.wanted[clase] = true;
    },
  };

  private browser = () =>
    new PanelBrowser(this.test, {
      'x-forwarded-for': `10.0.${any([1, 2, 3, 4, 5, 6, 7])}.${Math.ceil(Math.random() * 250)}`,
    });

  private moves(shop: Shop, correo: string): void {
    shop.correo = correo;
    shop.had.add(correo);
  }

  /** Something happens. Every event is dispatched when it is over. */
  async act(): Promise<void> {
    const names = ['event', 'event', 'event', 'event', ...Object.keys(this.acts)];
    await this.acts[any(names)]!(any(this.shops));
    await eventually(async () => {
      expect(await this.test.database.query('select id from eventos_pendientes')).toEqual([]);
    });
  }

  /** A day begins, and its summaries are due. @returns the time. */
  dawn(): number {
    this.expectSummaries();
    this.morning++;
    this.wanting = new Set(this.shops.filter(({ wants }) => wants.resumen).map(({ id }) => id));
    this.summaries.clear();
    this.isWritten = false;
    return this.now;
  }

  /** A process has written all that was due. */
  wrote(): void {
    this.isWritten = true;
  }

  /** One for each shop; whoever wants it only since later in the morning may get it as well, or not. */
  private expectSummaries(): void {
    expect([...this.summaries.values()].filter((count) => count > 1)).toEqual([]);
    if (this.isWritten) expect([...this.wanting].filter((id) => !this.summaries.has(id))).toEqual([]);
  }

  get now(): number {
    return FIRST_MORNING + this.morning * DAY_MS;
  }

  /** No process sends: whatever waited is due, and the pause after a mail is over. */
  async passTime(): Promise<void> {
    await this.test.database.query(
      `update correos set proximo_en = now() - interval '21 s' where estado = 'pendiente' and (intentos > 0 or proximo_en > now())`,
    );
    await this.test.database.query(
      `update correos set creado_en = creado_en - interval '16 minutes' where clase = 'aviso'`,
    );
  }

  /** Compares what happened since the last look, which was in one life of a process. */
  async look(hasDied: boolean): Promise<void> {
    const rows = await this.test.database.query<any>(
      'select id, comercio_id, para, clase from correos where id > $1 order by id',
      [this.looked.id],
    );
    const shopOf = (id: string) => this.shops.find((shop) => shop.id === id)!;
    for (const { comercio_id, para, clase } of rows) {
      const shop = shopOf(comercio_id);
      if (clase !== 'confirmacion') expect([...shop.had]).toContain(para);
      if (clase === 'aviso' || clase === 'resumen')
        expect([clase, shop.wanted[clase as 'aviso']]).toEqual([clase, true]);
      if (clase === 'resumen') this.summaries.set(shop.id, (this.summaries.get(shop.id) ?? 0) + 1);
    }
    const told = await this.test.database.query<{ guia_id: string; id: string }>(
      `select a.guia_id, c.id from correo_avisos a
       join correos c on c.comercio_id = a.comercio_id and c.clase = 'aviso' and c.creado_en = a.escrito_en`,
    );
    for (const { guia_id, id } of told) this.toldBy.set(guia_id, id);
    const taken = this.office.taken.slice(this.looked.taken);
    const states = await this.test.database.query<any>(
      'select id, comercio_id, para, estado from correos where id = any ($1)',
      [taken.map(({ id }) => id)],
    );
    for (const { id, comercio_id, para, estado } of states) {
      const its = taken.filter((mail) => mail.id === id);
      expect([id, this.known.has(id)]).toEqual([id, false]);
      const count = its.filter(({ isTold }) => isTold).length;
      expect(count).toBeLessThanOrEqual(1);
      if (count === 1 && !hasDied) expect([id, estado]).toEqual([id, 'enviado']);
      for (const mail of its) {
        expect(mail.para).toEqual([para]);
        const names = new Set(mail.text.match(/Tienda [A-H]/g));
        expect([...names]).toEqual([shopOf(comercio_id).nombre]);
      }
    }
    expect(states).toHaveLength(new Set(taken.map(({ id }) => id)).size);
    const ended = await this.test.database.query<{ id: string }>(
      `select id from correos where estado in ('enviado', 'fallido')`,
    );
    this.known = new Set(ended.map(({ id }) => id));
    this.looked = { taken: this.office.taken.length, id: rows.at(-1)?.id ?? this.looked.id };
    for (const shop of this.shops) {
      shop.had = new Set([shop.correo]);
      shop.wanted = { ...shop.wants };
    }
  }

  /** Whether nothing is left to be written or sent. */
  async isQuiet(): Promise<boolean> {
    const open = await this.test.database.query(
      `select id from correos where estado = 'pendiente' union all select id from correo_avisos where escrito_en is null`,
    );
    return open.length === 0;
  }

  /** Nothing was lost, and nothing said too much. @param errors what processes printed and threw. */
  async expectAll(errors: string): Promise<Record<string, number>> {
    expect(await this.isQuiet()).toBe(true);
    const rows = await this.test.database.query<any>('select * from correos');
    const taken = new Map(this.office.taken.map((mail) => [mail.id, mail]));
    // A mail is given up where the server refuses it for good, after eight tries, or when its link has ended.
    const lost = rows.filter(
      ({ id, estado, clase, intentos, causa }) =>
        !taken.has(id) &&
        !(estado === 'fallido' && (causa.startsWith('550') || intentos >= (clase === 'entrada' ? 4 : 8))),
    );
    expect(lost).toEqual([]);
    expect([...this.due.keys()].filter((id) => !this.toldBy.has(id))).toEqual([]);
    for (const [guia, mail] of this.toldBy) {
      const number = this.numbers.get(guia)!.replace(/(\d{4})(?=\d)/g, '$1 ');
      if (taken.has(mail)) expect(taken.get(mail)!.text).toContain(number);
    }
    this.expectSummaries();
    const jobs = await this.test.app.get(QueuesService).queue(CORREOS).getJobs();
    const kept = [errors, this.test.logs, jobs, rows.map(({ causa }) => causa as string)];
    kept.push(await this.test.database.query('select correo_rechazo from comercios'));
    const said = JSON.stringify(kept);
    for (const secret of [/.{20}tienda\.example/, /.{20}\+?502\d{8}/, /.{20}\/panel\/[a-z/]+\/[\w-]{20}/])
      expect(secret.exec(said)?.[0]).toBeUndefined();
    const repeated = this.office.taken.length - taken.size;
    return {
      mails: rows.length,
      taken: taken.size,
      repeated,
      refused: rows.length - taken.size,
      told: this.toldBy.size,
    };
  }
}

const FROM = {
  MAIL_FROM: 'avisos@colibri.example',
  PUBLIC_URL: 'https://guias.example.com',
  TRUST_PROXY: '127.0.0.1',
};
const report = (figures: object) => process.env.MAIL_ROUNDS && console.log(JSON.stringify(figures));

describe('mails', () => {
  const office = new PostOffice();
  let errors = '';

  describe('of a sender that dies or fails at any statement and any step of SMTP', () => {
    const test = useTestApp({ env: { ...FROM, SMTP_URL: 'smtp://127.0.0.1:1' } });

    /** One life of a process: it writes what is due, and sends it. @returns whether it died. */
    const live = async (model: MailModel, isLast: boolean): Promise<boolean> => {
      const end = isLast ? 'none' : any(['none', 'none', 'dies', 'fails'] as const);
      const life = new Life(test.app.get(Database), end);
      office.fault = isLast ? undefined : any([undefined, ...ALL_MAIL_FAULTS]);
      office.onDeath = () => Promise.resolve(life.die());
      // Of its own: what a dead process has begun reaches no later one.
      const server = await startMailServer(office.options());
      const { mail } = test.app.get(Config);
      const config = {
        mail: { ...mail!, server: { ...mail!.server, port: Number(new URL(server.url).port) } },
      };
      const [correos, queues, sweeps] = [CorreosService, QueuesService, SweepsService].map((one) =>
        test.app.get(one as never),
      );
      const logger: never = test.app.get(LOGGER);
      const { database } = life;
      const sender = new CorreoSenderService(database, correos, queues, sweeps, config as never, logger);
      const work = async () => {
        await Promise.allSettled([
          new AvisosSweep(database, correos, sweeps, logger).writeDue(),
          new ResumenService(database, correos, sweeps, logger).writeDue(undefined, model.now),
        ]);
        const due = await test.database.query<{ id: string }>(
          `select id from correos where estado = 'pendiente' and proximo_en <= now() order by id`,
        );
        // Two jobs of each: one of them sends.
        await Promise.all(
          [...due, ...due].map(({ id }) =>
            sender.send(id).catch((error: Error) => (errors += error.message)),
          ),
        );
      };
      await Promise.race([work(), life.death]);
      await server.close();
      if (end === 'none' && !life.hasDied) model.wrote();
      return life.hasDied;
    };

    it(`are sent at least once, and never again once that is known, in ${ROUNDS} rounds`, async () => {
      const model = new MailModel(test, office);
      await model.open();
      let deaths = 0;
      for (let round = 0; round < ROUNDS || !(await model.isQuiet()); round++) {
        if (round < ROUNDS) await model.act();
        if (round < ROUNDS && round % 10 === 0) model.dawn();
        await model.passTime();
        const hasDied = await live(model, round >= ROUNDS);
        deaths += Number(hasDied);
        await model.look(hasDied);
      }
      report({ deaths, ...(await model.expectAll(errors)) });
    });
  });

  describe('of a worker that is killed', () => {
    let test: TestApp;
    let worker: Victim;
    let server: MailServer;
    const killed = new PostOffice();

    beforeAll(async () => {
      server = await startMailServer(killed.options());
      const env = { ...FROM, SMTP_URL: server.url };
      test = await createTestApp({ env });
      worker = new Victim({
        DATABASE_URL: test.database.url,
        APP_SECRET,
        ROLE: 'worker',
        LOG_LEVEL: 'info',
        ...env,
      });
    });
    afterAll(async () => {
      await worker?.end();
      await test?.close();
      await server?.close();
    });

    it(`are sent at least once, and never again once that is known, with ${KILLS} kills`, async () => {
      const model = new MailModel(test, killed);
      await model.open();
      const writer = new ResumenService(
        ...([Database, CorreosService, SweepsService].map((one) => test.app.get(one as never)) as [
          never,
          never,
          never,
        ]),
        test.app.get(LOGGER),
      );
      // All that waited is due now, also by its job.
      const between = async () => {
        await model.look(true);
        await model.passTime();
        for (const job of await test.app.get(QueuesService).queue(CORREOS).getDelayed()) await job.promote();
      };
      for (let kill = 0; kill < KILLS; kill++) {
        await worker.up();
        let death: Promise<void> | undefined;
        killed.onDeath = () => (death ??= worker.kill(0, between));
        killed.fault = any([undefined, ...ALL_MAIL_FAULTS]);
        if (kill % 5 === 0) {
          await writer.writeDue(undefined, model.dawn());
          model.wrote();
        }
        for (let n = 0; n < ACTS; n++) await model.act();
        await sleep(Math.random() * LIFE_MS);
        await (death ?? worker.kill(0, between));
      }
      killed.fault = undefined;
      await eventually(async () => {
        expect(await model.isQuiet()).toBe(true);
      }, 600_000);
      await worker.end();
      await model.look(false);
      expect(worker.complaints).toEqual([]);
      report({ kills: KILLS, ...(await model.expectAll(worker.output)) });
    });
  });
});
