import { randomUUID } from 'node:crypto';
import { addSandboxCommands } from '../../src/commands/messages.commands.js';
import { AvisosSweep } from '../../src/correos/avisos/correo-avisos.service.js';
import { CORREOS } from '../../src/correos/correos.queue.js';
import { newCorreos } from '../../src/correos/correos.queries.js';
import { CorreosService } from '../../src/correos/correos.service.js';
import { ResumenService } from '../../src/correos/resumen/resumen.service.js';
import { CorreoSenderService } from '../../src/correos/sending/correo-sender.service.js';
import { Database } from '../../src/platform/database/database.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { eventually, settled } from '../support/eventually.js';
import { failOn } from '../support/failing-statement.js';
import { startMailServer, type MailServer, type ReceivedMail } from '../support/mail-server.js';
import { newPhone } from '../support/messaging.js';
import { runCommand } from '../support/run-command.js';
import {
  APP_SECRET,
  createTestApp,
  guiaBody,
  type TestApp,
  type TestMerchant,
  type TestOperator,
} from '../support/test-app.js';
import { TEST_CERTIFICATE } from '../support/test-certificate.js';
import { opened, useTestApp } from '../support/use.js';

const FROM = { MAIL_FROM: 'avisos@colibri.example' };
const PUBLIC_URL = 'https://guias.example.com';
const ON_ITS_WAY = ['en_camino_a_recoger', 'recogido', 'en_ruta'];

interface StoredMail {
  id: string;
  clase: string;
  asunto: string;
  estado: string;
  texto: string | null;
  html: string | null;
  causa: string | null;
  intentos: number;
}

let addresses = 0;

/** What the tests do with an app's mails. */
class Mails {
  constructor(readonly test: TestApp) {}

  /** A merchant with an address. */
  async merchant(over: Record<string, unknown> = {}): Promise<TestMerchant & { correo: string }> {
    const merchant = await this.test.merchant();
    const correo = `tienda${++addresses}@example.com`;
    await this.change(merchant, { correo, nombre: 'Tienda Jacaranda', ...over });
    return { ...merchant, correo };
  }

  async change({ id }: { id: string }, values: Record<string, unknown>): Promise<void> {
    const set = Object.keys(values).map((column, n) => `${column} = $${n + 2}`);
    await this.test.database.query(`update comercios set ${set.join(', ')} where id = $1`, [
      id,
      ...Object.values(values),
    ]);
  }

  of({ correo }: { correo: string }): Promise<StoredMail[]> {
    return this.test.database.query(
      'select id, clase, asunto, estado, texto, html, causa, intentos from correos where para = $1 order by id',
      [correo],
    );
  }

  /** The only mail for an address, once it is in this state. */
  reached(merchant: { correo: string }, estado: string): Promise<StoredMail> {
    return eventually(async () => {
      const mails = await this.of(merchant);
      expect(mails.map((mail) => mail.estado)).toEqual([estado]);
      return mails[0]!;
    });
  }

  write(merchant: { id: string; correo: string }, over: Record<string, unknown> = {}): Promise<void> {
    const correo = {
      comercioId: merchant.id,
      para: merchant.correo,
      clase: 'entrada',
      asunto: 'Su enlace',
    } as const;
    return this.test.app
      .get(Database)
      .managed(merchant.id, (manager) =>
        this.test.app.get(CorreosService).write(manager, { ...correo, parrafos: ['Púlselo.'], ...over }),
      );
  }

  /** Makes the mails of an address due now: their rows and their jobs. */
  async due(merchant: { correo: string }): Promise<void> {
    await this.test.database.query('update correos set proximo_en = now() where para = $1', [
      merchant.correo,
    ]);
    const queue = this.test.app.get(QueuesService).queue(CORREOS);
    for (const { id } of await this.of(merchant)) {
      const job = await queue.getJob(id);
      if (job && (await job.isDelayed())) await job.promote();
    }
  }

  /** Moves a guide through states. @returns its number and id. */
  async guia(
    merchant: TestMerchant,
    operator: TestOperator,
    states: (string | Record<string, unknown>)[],
    over: Record<string, unknown> = {},
  ): Promise<{ guia: string; id: string }> {
    const body = guiaBody({ nombre: 'Blanca Nieves', telefono: newPhone(), cod_amount: 210, ...over });
    const made = await merchant.post('/api/v1/guias', body);
    expect(made.status).toBe(201);
    for (const state of states) {
      const moved = await operator.move(
        made.body.guia,
        typeof state === 'string' ? { estado: state } : state,
      );
      expect([moved.status, moved.text]).toEqual([201, moved.text]);
    }
    return { guia: made.body.guia, id: made.body.id };
  }

  /** Writes what is due of what was recorded so far. */
  async tell(): Promise<void> {
    await settled(this.test);
    await this.test.app.get(AvisosSweep).writeDue();
  }
}

/** The one link of a mail that ends mails of its kind. */
const bajaOf = ({ headers }: ReceivedMail) => new URL(headers['list-unsubscribe']!.slice(1, -1));

describe('mails', () => {
  const server = opened(() => startMailServer());
  let test: TestApp;
  let mails: Mails;
  let operator: TestOperator;

  beforeAll(async () => {
    const env = {
      ...FROM,
      SMTP_URL: server.url,
      COURIER_NAME: 'Mensajería <Colibrí>',
      COURIER_PHONE: '+502 2222-3333',
    };
    test = await createTestApp({ env: { ROLE: 'all', PUBLIC_URL, ...env } });
    mails = new Mails(test);
    operator = await test.operator();
  });
  afterAll(() => test.close());

  const received = (merchant: { correo: string }, count = 1) =>
    eventually(() => {
      expect(server.to(merchant.correo)).toHaveLength(count);
      return server.to(merchant.correo).at(-1)!;
    });

  it('are sent as text and HTML that say whose installation this is, and their text is not kept', async () => {
    const merchant = await mails.merchant();
    await mails.write(merchant, {
      boton: { texto: 'Entrar', url: 'https://x.example/?a=1&b=2' },
      parrafos: ['<b>'],
    });
    const mail = await received(merchant);
    expect(mail.headers).toMatchObject({
      to: merchant.correo,
      subject: 'Su enlace',
      'auto-submitted': 'auto-generated',
      'message-id': expect.stringMatching(/^<[0-9a-f-]{36}@colibri\.example>$/),
    });
    expect(mail.headers).not.toHaveProperty('list-unsubscribe');
    expect(mail.text).toContain('Entrar: https://x.example/?a=1&b=2');
    expect(mail.text).toContain('Escribir a Mensajería <Colibrí>: https://wa.me/50222223333');
    for (const part of [
      'Guías de Mensajería &lt;Colibrí&gt;',
      '&lt;b&gt;',
      'href="https://x.example/?a=1&amp;b=2"',
    ])
      expect(mail.html).toContain(part);
    expect(mail.html).not.toMatch(/<(script|img|link)/);
    expect(await mails.reached(merchant, 'enviado')).toMatchObject({ texto: null, html: null, causa: null });
  });

  it('are tried again after a temporary refusal, and clear what a server refused before', async () => {
    const merchant = await mails.merchant({ correo_rechazo: 'No existe' });
    server.refuse(merchant.correo, { at: 'rcpt', code: 450, says: `4.2.0 <${merchant.correo}> try later` });
    await mails.write(merchant);
    await eventually(async () => {
      expect(await mails.of(merchant)).toMatchObject([
        { estado: 'pendiente', causa: '450 4.2.0 … try later' },
      ]);
    });
    await mails.due(merchant);
    await received(merchant);
    await mails.reached(merchant, 'enviado');
    const rows = await test.database.query('select correo_rechazo from comercios where id = $1', [
      merchant.id,
    ]);
    expect(rows).toEqual([{ correo_rechazo: null }]);
  });

  it.each(['rcpt', 'data'] as const)(
    'end at a refusal for good of %s, and the merchant shows why',
    async (at) => {
      const merchant = await mails.merchant();
      server.refuse(merchant.correo, { at, code: 550, says: `5.1.1 <${merchant.correo}>: no such user` });
      await mails.write(merchant);
      const causa = '550 5.1.1 … no such user';
      expect(await mails.reached(merchant, 'fallido')).toMatchObject({ causa, texto: null, intentos: 1 });
      const rows = await test.database.query('select correo_rechazo from comercios where id = $1', [
        merchant.id,
      ]);
      expect(rows).toEqual([{ correo_rechazo: causa }]);
      expect(server.to(merchant.correo)).toEqual([]);
    },
  );

  it('are sent again if the process died between the send and its record', async () => {
    const merchant = await mails.merchant();
    await mails.write(merchant, { clase: 'aviso' });
    await received(merchant);
    const { id } = await mails.reached(merchant, 'enviado');
    await test.database.query(`update correos set estado = 'pendiente', texto = 'Hola' where id = $1`, [id]);
    const sender = test.app.get(CorreoSenderService);
    await test.database.query('update correos set proximo_en = now() where id = $1', [id]);
    // Of two processes one sends.
    const outcomes = await Promise.allSettled([sender.send(id), sender.send(id)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const second = await received(merchant, 2);
    expect(second.headers['message-id']).toBe(server.to(merchant.correo)[0]!.headers['message-id']);
  });

  it('are not sent again where that they were taken cannot be recorded at once', async () => {
    const merchant = await mails.merchant();
    const recordsAgain = await failOn(test.database, 'update on correos', `new.estado = 'enviado'`);
    await mails.write(merchant);
    await received(merchant);
    await recordsAgain();
    expect(await mails.reached(merchant, 'enviado')).toMatchObject({ intentos: 1 });
    expect(server.to(merchant.correo)).toHaveLength(1);
  });

  it('do not wait for the summaries of a morning', async () => {
    const merchant = await mails.merchant();
    const ids = await test.app.get(Database).managed(merchant.id, async (manager) => {
      await manager.query(
        `insert into correos (id, para, clase, asunto, creado_en, proximo_en)
         select gen_random_uuid(), $1, case when n > 500 then 'aviso' else 'resumen' end, 'x', now(), now() - interval '5 s' + n * interval '1 ms'
         from generate_series(1, 501) n`,
        [merchant.correo],
      );
      const found = await manager.query<{ clase: string }[]>(newCorreos().text);
      await manager.query('delete from correos where para = $1', [merchant.correo]);
      return found;
    });
    expect(ids[0]).toMatchObject({ clase: 'aviso' });
  });

  it('have no address, phone or token in jobs and log lines', async () => {
    const jobs = await test.app.get(QueuesService).queue(CORREOS).getJobs();
    expect(jobs.length).toBeGreaterThan(0);
    for (const { data } of jobs) expect(Object.keys(data as object)).toEqual(['correoId']);
    expect(JSON.stringify(test.logs)).not.toMatch(/example\.com|@colibri|no such user/);
  });

  describe('at once', () => {
    it('tell of each cause with its facts, and with no phone and no address', async () => {
      const telefono = newPhone();
      const secrets = { telefono, direccion: '5a calle 3-20 zona 1', external_ref: '#10228' };
      const paid = { estado: 'entregado', cod_cobrado: 200 };
      const merchant = await mails.merchant();
      const { guia } = await mails.guia(merchant, operator, [...ON_ITS_WAY, paid], secrets);
      await mails.tell();
      const mail = await received(merchant);
      expect(mail.headers.subject).toMatch(/^=\?UTF-8|A Blanca/);
      for (const part of [
        'A Blanca se le cobró otro monto',
        'Había que cobrar: Q 210.00',
        'Se cobró: Q 200.00',
        '#10228',
      ])
        expect(mail.text).toContain(part);
      expect(mail.text).toContain(`Ver la guía: ${PUBLIC_URL}/panel/guias/${guia}`);
      const all = `${mail.text}${mail.html}`;
      for (const secret of [telefono, telefono.slice(4), '5a calle', 'Nieves'])
        expect(all).not.toContain(secret);

      const lost = await mails.merchant();
      const numbered = { nombre: `${telefono.slice(4)} Blanca` };
      await mails.guia(lost, operator, [...ON_ITS_WAY, 'extraviado'], numbered);
      await mails.tell();
      const { text, html } = await received(lost);
      expect(text).toContain('Se extravió el paquete de Blanca');
      expect(text + html).not.toContain(telefono.slice(4));
    });

    it('say what was corrected before they are written: another amount, and a lost parcel', async () => {
      const merchant = await mails.merchant();
      const paid = { estado: 'entregado', cod_cobrado: 200 };
      const correct = async () => {
        const { guia } = await mails.guia(merchant, operator, [...ON_ITS_WAY, paid]);
        await operator.post(`/api/v1/operaciones/guias/${guia}/cobro`, { cod_cobrado: 210 });
      };
      await correct();
      await mails.tell();
      const { text } = await received(merchant);
      expect(text).toContain('La mensajería ya lo corrigió.');
      expect(text).not.toMatch(/Se cobró|Si no lo acordaron así/);
      await correct();
      const { guia } = await mails.guia(merchant, operator, [...ON_ITS_WAY, 'extraviado']);
      await operator.post(`/api/v1/operaciones/guias/${guia}/deshacer`, { motivo: 'Apareció' });
      await test.database.query(
        `update correos set creado_en = creado_en - interval '16 minutes' where para = $1`,
        [merchant.correo],
      );
      await mails.tell();
      const { text: several } = await received(merchant, 2);
      expect(several).toMatch(/se le cobró otro monto: ya se corrigió · \d/);
      expect(several).toMatch(/Se extravió el paquete de Blanca: ya se corrigió · \d/);
    });

    it('tell the first alone, and all that follows in one mail 15 minutes after it', async () => {
      const merchant = await mails.merchant();
      const lose = () => mails.guia(merchant, operator, [...ON_ITS_WAY, 'extraviado']);
      const first = await lose();
      await mails.tell();
      await received(merchant);
      const [second, third] = [await lose(), await lose()];
      await mails.tell();
      expect(await mails.of(merchant)).toHaveLength(1);
      await test.database.query(
        `update correos set creado_en = creado_en - interval '16 minutes' where para = $1`,
        [merchant.correo],
      );
      await mails.tell();
      await mails.tell();
      const mail = await received(merchant, 2);
      const inFours = (guia: string) => guia.replace(/(\d{4})(?=\d)/g, '$1 ');
      for (const { guia } of [second, third]) expect(mail.text).toContain(inFours(guia));
      expect(mail.text).not.toContain(inFours(first.guia));
      expect(mail.text).toContain(`Ver lo de hoy: ${PUBLIC_URL}/panel`);
      expect(await mails.of(merchant)).toHaveLength(2);
    });

    it('tell what the recipient says, without the numbers in it', async () => {
      const merchant = await mails.merchant();
      const { id } = await mails.guia(merchant, operator, [
        ...ON_ITS_WAY,
        { estado: 'entregado', cod_cobrado: 210 },
      ]);
      const { seguimiento } = (await merchant.get(`/api/v1/guias/${id}`)).body.guia;
      const body = new URLSearchParams({ no_recibi: 'si', texto: 'Nadie vino, llamen al 5555-1234' });
      await test.request(new URL(seguimiento as string).pathname, { method: 'POST', body });
      await mails.tell();
      const { text } = await received(merchant);
      expect(text).toContain('Blanca dijo que no lo recibió');
      expect(text).toContain('«Nadie vino, llamen al …»');
      expect(text).toContain('Consta cobrado: Q 210.00');
    });

    it('tell of an endpoint that was disabled, by its host alone', async () => {
      const merchant = await mails.merchant();
      const id = randomUUID();
      await test.database.query(
        `insert into webhooks (id, comercio_id, url, eventos, creado_en, actualizado_en, falla_desde)
         values ($1, $2, 'https://tienda.example/secreto', '{guia.creada}', now(), now(), now() - interval '6 days')`,
        [id, merchant.id],
      );
      const { recordEndpointFailure } = await import('../../src/webhooks/deliveries/deliveries.queries.js');
      for (let n = 0; n < 2; n++)
        await test.app
          .get(Database)
          .query(recordEndpointFailure(id, false, 'https://tienda.example/secreto'));
      await mails.tell();
      const { text } = await received(merchant);
      expect(text).toContain('Ya no enviamos avisos a tienda.example');
      expect(text).not.toContain('secreto');
      const rows = await test.database.query('select from correo_avisos where comercio_id = $1', [
        merchant.id,
      ]);
      expect(rows).toHaveLength(1);
    });

    it('tell a closed merchant what goes on, and one that does not want it nothing', async () => {
      const silent = await mails.merchant({ con_avisos: false });
      const closed = await mails.merchant();
      await mails.guia(silent, operator, [...ON_ITS_WAY, 'extraviado']);
      const { guia } = await mails.guia(closed, operator, ON_ITS_WAY);
      await mails.change(closed, { cerrado_en: new Date() });
      await operator.move(guia, { estado: 'extraviado' });
      await mails.tell();
      await received(closed);
      expect(await mails.of(silent)).toEqual([]);
    });
  });

  describe('each morning', () => {
    const morning = Date.parse('2027-01-15T13:30:00Z');
    const write = (now = morning) => test.app.get(ResumenService).writeDue(undefined, now);
    const summaries = async (merchant: { correo: string }) =>
      (await mails.of(merchant)).filter(({ clase }) => clase === 'resumen');
    const needy = async (over: Record<string, unknown> = {}) => {
      const merchant = await mails.merchant({ creado_en: new Date('2027-01-14T00:00:00Z'), ...over });
      const { id } = await mails.guia(merchant, operator, []);
      await test.database.query(`update guias set advertencias = '{telefono_dudoso}' where id = $1`, [id]);
      return merchant;
    };

    it('say once what needs the merchant, however many processes look', async () => {
      const merchant = await needy();
      const quiet = await mails.merchant({ creado_en: new Date('2027-01-14T00:00:00Z') });
      await Promise.all([write(), write(), write()]);
      await write(morning + 3_600_000);
      expect(await summaries(merchant)).toHaveLength(1);
      expect(await summaries(quiet)).toEqual([]);
      const mail = await received(merchant);
      expect(mail.text).toContain('1 asunto necesita de usted');
      expect(mail.text).toMatch(/Los dígitos del teléfono .*: 1 · Q 210\.00/);
      await write(morning + 86_400_000);
      expect(await summaries(merchant)).toHaveLength(2);
    });

    it('do not reach one that is new, closed, or does not want it', async () => {
      const unwanted = [
        await needy({ creado_en: new Date('2027-01-15T13:10:00Z') }),
        await needy(),
        await needy({ con_resumen: false }),
      ];
      await mails.change(unwanted[1]!, { cerrado_en: new Date() });
      await write();
      for (const merchant of unwanted) expect(await summaries(merchant)).toEqual([]);
    });
  });

  describe('their link that ends them', () => {
    const wants = async ({ id }: { id: string }) =>
      (await test.database.query('select con_avisos, con_resumen from comercios where id = $1', [id]))[0];

    it.each([
      ['a form', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), {}],
      [
        'a form in parts',
        (() => {
          const form = new FormData();
          form.set('List-Unsubscribe', 'One-Click');
          return form;
        })(),
        {},
      ],
      ['another site', undefined, { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }],
    ])(
      'ends that kind by a POST without a session, sent as %s, and changes nothing by a GET',
      async (_, body, headers) => {
        const merchant = await mails.merchant();
        await mails.write(merchant, { clase: 'aviso' });
        const mail = await received(merchant);
        expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
        const url = bajaOf(mail);
        expect(url.origin).toBe(PUBLIC_URL);
        expect(mail.html).toContain(url.href);
        const page = await test.request(url.pathname);
        expect([page.status, page.text.match(/<button/g)?.length]).toEqual([200, 1]);
        expect(page.headers.get('referrer-policy')).toBe('no-referrer');
        expect(await wants(merchant)).toEqual({ con_avisos: true, con_resumen: true });
        for (let n = 0; n < 2; n++) {
          const done = await test.request(url.pathname, { method: 'POST', headers, ...(body && { body }) });
          expect([done.status, done.text.includes('Ya no le escribiremos')]).toEqual([200, true]);
        }
        expect(await wants(merchant)).toEqual({ con_avisos: false, con_resumen: true });
      },
    );

    it('is not found if it is changed', async () => {
      const merchant = await mails.merchant();
      await mails.write(merchant, { clase: 'resumen' });
      const { pathname } = bajaOf(await received(merchant));
      const token = pathname.split('/').at(-1)!;
      const other = `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`;
      for (const wrong of [other, token.slice(1), `${token}A`, 'x'])
        for (const method of ['GET', 'POST'])
          expect((await test.request(`/panel/correo/baja/${wrong}`, { method })).status).toBe(404);
      expect(await wants(merchant)).toEqual({ con_avisos: true, con_resumen: true });
    });
  });
});

describe('without a mail server', () => {
  const test = useTestApp({ env: { ROLE: 'all' } });

  it('mails are kept, and `sandbox inbox` shows them beside messages', async () => {
    const mails = new Mails(test);
    const merchant = await mails.merchant();
    await mails.write(merchant);
    expect(await mails.reached(merchant, 'guardado')).toMatchObject({ intentos: 0 });
    const env = { DATABASE_URL: test.database.url, APP_SECRET };
    const { messages, mails: kept } = await runCommand('sandbox', addSandboxCommands, ['inbox'], env);
    expect(messages).toEqual([]);
    expect(kept).toEqual([
      {
        para: merchant.correo,
        asunto: 'Su enlace',
        clase: 'entrada',
        texto: expect.stringContaining('Púlselo.'),
        creado_en: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      },
    ]);
  });
});

describe('over TLS', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer({ secure: true, ...TEST_CERTIFICATE });
  });
  afterAll(() => server.close());

  it('a certificate that Node does not know is refused, and the mail waits', async () => {
    const test = await createTestApp({ env: { ROLE: 'all', SMTP_URL: server.url, ...FROM } });
    try {
      const mails = new Mails(test);
      const merchant = await mails.merchant();
      await mails.write(merchant);
      await eventually(async () => {
        const [mail] = await mails.of(merchant);
        expect(mail).toMatchObject({
          estado: 'pendiente',
          causa: expect.stringMatching(/No hubo conexión con el servidor de correo \(\w+\)/),
        });
      });
      expect(server.mails).toEqual([]);
    } finally {
      await test.close();
    }
  });
});
