import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { signalServer } from '../../src/platform/database/embedded-postgres/postmaster-pid.js';
import { createTestDatabase } from '../support/database.js';
import { copyDataDir } from '../support/data-dir.js';
import { eventually } from '../support/eventually.js';
import { APP_SECRET, guiaBody } from '../support/guia-body.js';
import { startHttpStub, type HttpStub, type StubRequest } from '../support/http-stub.js';
import { useOperatorCommands } from '../support/operator-commands.js';
import { createGuia, useServices, type ServiceProcess } from '../support/service-process.js';

/** ms, for hangs alone. A webhook that failed twice before the backup was complete is retried 5 minutes later. */
const LIMIT_MS = 600_000;

/** ms; shorter, so that the reason is shown. */
const RESENT_MS = 580_000;

/** Clients that create guides while the backup is made. */
const CLIENTS = 2;

/** The guide whose message and webhook are being sent while the backup is made. */
const IN_FLIGHT = 'en-vuelo';

interface Acknowledged {
  body: Record<string, unknown>;
  guia: { id: string; guia: string };
  /** When the answer arrived; ms since 1970. */
  at: number;
}

const { run, guias } = useOperatorCommands();

const NEVER = new Promise<never>(() => undefined);

describe('a backup of the embedded database', () => {
  const { newFolder, start } = useServices();
  let bridge: HttpStub;
  let merchant: HttpStub;
  let service: ServiceProcess;
  let key: string;
  let env: Record<string, string>;
  let copy: string;
  /** What the service acknowledged, outside the service. */
  const journal: Acknowledged[] = [];
  let kept: Acknowledged[];
  let lost: Acknowledged[];
  let settled: Acknowledged;
  let inFlight: Acknowledged;
  let isLost = false;
  /** Tries of what is in flight, when the machine was lost. */
  let sent: { messages: number; webhooks: number };

  const messagesTo = ({ guia }: Acknowledged) =>
    bridge.requests.filter(({ json }) => json.guia === guia.guia);
  const webhooksOf = ({ guia }: Acknowledged) =>
    merchant.requests.filter(({ json }) => json.data.guia.guia === guia.guia);
  const ids = (requests: StubRequest[]) => requests.map(({ headers }) => headers['webhook-id']);

  async function call(path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const response = await fetch(service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  async function create(over: Record<string, unknown>): Promise<Acknowledged> {
    const response = await createGuia(service, key, over);
    const guia = (await response.json()) as Acknowledged['guia'];
    expect([response.status, guia]).toEqual([201, expect.anything()]);
    return { body: guiaBody(over), guia, at: Date.now() };
  }

  /** Creates guides until the service is killed. */
  async function load(client: number): Promise<void> {
    for (let n = 0; !isLost; n++) {
      const over = {
        lat: 14.5,
        lng: -90.5,
        external_ref: `${client}-${n}`,
        nombre: `Ana ${n}`,
        cod_amount: n / 4,
      };
      const made = await create(over).catch((error: unknown) => {
        if (!isLost) throw error;
      });
      if (made) journal.push(made);
    }
  }

  /** What a lost machine does: the service and its PostgreSQL end at once. */
  async function lose(folder: string): Promise<void> {
    const file = join(folder, 'postgres/postmaster.pid');
    const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0]);
    isLost = true;
    await service.stop('SIGKILL');
    signalServer(postmaster, 'SIGKILL');
  }

  beforeAll(async () => {
    [bridge, merchant] = await Promise.all([startHttpStub(), startHttpStub()]);
    const folder = copyDataDir(newFolder());
    env = {
      MESSAGING_PROVIDER: 'webhook',
      MESSAGING_WEBHOOK_URL: bridge.url,
      MESSAGING_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      RATE_LIMIT_PER_MINUTE: '1000000',
    };
    service = await start({ ...env, DATA_DIR: folder });
    key = service.demoKey!;
    const webhook = await call('/api/v1/webhooks', { url: `${merchant.url}/`, eventos: ['guia.creada'] });
    settled = await create({ external_ref: 'enviada', nombre: 'Ana López' });
    await eventually(async () => {
      const { body } = await call(`/api/v1/webhooks/${webhook.body.webhook.id}/entregas`);
      expect(body.entregas).toMatchObject([{ guia: settled.guia.guia, estado: 'entregada' }]);
      const { messages } = await guias(['messages', 'list', '--guia', settled.guia.guia], {
        DATA_DIR: folder,
      });
      expect(messages).toMatchObject([{ estado: 'aceptado' }]);
    });

    bridge.otherwise({ until: NEVER });
    merchant.otherwise(({ json }) => (json.data.guia.external_ref === IN_FLIGHT ? { until: NEVER } : {}));
    inFlight = await create({ external_ref: IN_FLIGHT });
    const loads = Array.from({ length: CLIENTS }, (_, client) => load(client));
    await eventually(() => {
      for (const all of [messagesTo(inFlight), webhooksOf(inFlight), journal])
        expect(all.length).toBeGreaterThan(0);
    });
    copy = join(newFolder(), 'copia');
    const { complete_until } = await guias(['backup', copy], { DATA_DIR: folder });
    const count = journal.length;
    await eventually(() => expect(journal.length).toBeGreaterThan(count));
    await lose(folder);
    await Promise.all(loads);
    sent = { messages: messagesTo(inFlight).length, webhooks: webhooksOf(inFlight).length };
    kept = journal.filter(({ at }) => at < Date.parse(complete_until));
    lost = journal.slice(count);

    bridge.otherwise({});
    merchant.otherwise({});
    await guias(['restored'], { DATA_DIR: copy });
    service = await start({ ...env, DATA_DIR: copy });
  }, LIMIT_MS);

  afterAll(async () => {
    // With its PostgreSQL.
    await service.stop();
    await Promise.all([bridge.close(), merchant.close()]);
  });

  it('holds its secrets, for its owner alone', () => {
    expect(readdirSync(copy)).toEqual(
      expect.arrayContaining(['app-secret', 'postgres', 'postgres-password']),
    );
    expect(statSync(join(copy, 'app-secret')).mode & 0o777).toBe(0o600);
    expect(statSync(join(copy, 'postgres')).mode & 0o777).toBe(0o700);
  });

  it('has every guide that was acknowledged before it was complete, under the same key', async () => {
    expect(kept.length).toBeGreaterThan(10);
    const found = new Map<string, any>();
    for (let cursor = ''; ;) {
      const { status, body } = await call(`/api/v1/guias?limit=100${cursor && `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      for (const guia of body.guias) found.set(guia.external_ref, guia);
      if (body.siguiente_cursor === null) break;
      cursor = body.siguiente_cursor;
    }
    for (const { body, guia } of [settled, inFlight, ...kept]) {
      const { external_ref, telefono, nombre = '', cod_amount = 0 } = body;
      expect(found.get(external_ref as string)).toMatchObject({
        ...{ id: guia.id, guia: guia.guia, estado: 'aceptado' },
        ...{ external_ref, telefono, destinatario: nombre, cod_amount, direccion_confirmada: 'lat' in body },
      });
    }
  });

  it('still recognises repeated requests', async () => {
    const { body, guia } = kept[0]!;
    expect(await call('/api/v1/guias', body)).toMatchObject({
      status: 200,
      body: { id: guia.id, duplicada: true },
    });
  });

  it('never reassigns the number of a lost guide', async () => {
    const repeats: string[] = [];
    for (const { body } of lost.slice(0, 100)) repeats.push((await call('/api/v1/guias', body)).body.guia);
    const numbers = new Set(lost.map(({ guia }) => guia.guia));
    expect(repeats.filter((numero) => numbers.has(numero))).toEqual([]);
  });

  it('confirms addresses by links that were sent before', async () => {
    const link = service.url + new URL(messagesTo(settled)[0]!.json.enlace).pathname;
    const page = await fetch(link);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining(settled.guia.guia.slice(-4)),
    ]);
    const answer = await fetch(link, {
      method: 'POST',
      body: new URLSearchParams({ lat: '14.6', lng: '-90.5' }),
    });
    expect(answer.status).toBe(200);
    const { body } = await call(`/api/v1/guias/${settled.guia.id}`);
    expect(body.guia).toMatchObject({ direccion_confirmada: true, destino: { lat: 14.6, lng: -90.5 } });
  });

  it(
    'sends again only what was in flight, with the same id',
    async () => {
      await eventually(() => {
        expect(messagesTo(inFlight).length).toBeGreaterThan(sent.messages);
        expect(webhooksOf(inFlight).length).toBeGreaterThan(sent.webhooks);
      }, RESENT_MS);
      expect([messagesTo(settled).length, webhooksOf(settled).length]).toEqual([1, 1]);
      expect(new Set(ids(bridge.requests))).toEqual(
        new Set(ids([settled, inFlight].map((made) => messagesTo(made)[0]!))),
      );
      expect(new Set(ids(webhooksOf(inFlight))).size).toBe(1);
      for (const guide of kept) expect(new Set(ids(webhooksOf(guide))).size).toBeLessThan(2);
    },
    LIMIT_MS,
  );
});

it('restored skips guide numbers that may have been given out after a backup', async () => {
  const database = await createTestDatabase();
  try {
    const env = { DATABASE_URL: database.url, APP_SECRET };
    const last = async () =>
      Number((await database.query<{ n: string }>('select last_value as n from guias_numero'))[0]!.n);
    const before = await last();
    const { skipped } = await guias(['restored'], env);
    expect(skipped).toBe(10_000_000);
    // The first value of a new sequence is no step.
    expect((await last()) - before).toBeGreaterThanOrEqual(skipped - 1_000);
  } finally {
    await database.drop();
  }
});

describe('a backup that cannot be made', () => {
  const { newFolder } = useServices();

  it.each<[string, (base: string) => [folder: string, env: Record<string, string>], RegExp]>([
    [
      'without a database in DATA_DIR',
      (base) => [join(base, 'copia'), {}],
      /^DATA_DIR: no database .* set DATA_DIR/,
    ],
    [
      'to a folder that exists',
      (base) => {
        mkdirSync(join(base, 'datos/postgres'), { recursive: true });
        return [base, {}];
      },
      /already exists; name a new folder/,
    ],
    [
      'of a server that is not embedded',
      (base) => [
        join(base, 'copia'),
        { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', APP_SECRET: 'x'.repeat(32) },
      ],
      /^DATABASE_URL: only the embedded .* pg_dump/,
    ],
  ])('%s says so in one line and leaves nothing', async (_, setUp, words) => {
    const base = newFolder();
    const [folder, env] = setUp(base);
    const before = readdirSync(base);
    const ended = await run(['backup', folder], { DATA_DIR: join(base, 'datos'), ...env });
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(words) });
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(readdirSync(base)).toEqual(before);
    expect(existsSync(join(base, 'copia'))).toBe(false);
  });
});
