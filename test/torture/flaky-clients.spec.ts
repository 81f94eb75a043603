import { randomInt } from 'node:crypto';
import { Guias } from '../../clients/typescript/src/index.js';
import { ClientProcess, LANGUAGES, missingFor, type Language } from '../support/clients/client-process.js';
import { ListenCommand } from '../support/clients/listen-process.js';
import { eventually } from '../support/eventually.js';
import { startHttpStub, type HttpStub, type StubAnswer, type StubRequest } from '../support/http-stub.js';
import { unlessMissing } from '../support/skipping.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';

/**
 * Creates of each client, and webhooks. `npm run torture -- clients` makes more, also with the other languages and webhooks,
 * for which `test/clients` has a test of each fault.
 */
const SIZE = Number(process.env.CLIENT_CREATES ?? 20);
const WEBHOOKS = Math.ceil(SIZE / 20) * 10;

/** Creates of a client at once. */
const PARALLEL = 4;

/** Of 100 requests, how many meet each fault of the network. */
const FAULTS: [percent: number, (forward: () => Promise<StubAnswer>) => Promise<StubAnswer>][] = [
  // Cut before and after the service has created the guide.
  [4, () => Promise.resolve({ fault: 'reset' })],
  [4, async (forward) => ({ ...(await forward()), fault: 'close-mid-body' })],
  [4, async (forward) => (await forward(), { fault: 'reset' })],
  // Late, and later than the client waits.
  [4, async (forward) => ({ ...(await forward()), delayMs: 200 })],
  [2, async (forward) => ({ ...(await forward()), delayMs: 4_000 })],
  // Sent twice to the service, at once and one after the other.
  [4, async (forward) => (await Promise.all([forward(), forward()]))[1]],
  [4, async (forward) => (await forward(), forward())],
  // Answered by the proxy, before and after.
  [2, () => Promise.resolve({ status: 502, body: '<html>' })],
  [2, async (forward) => (await forward(), { status: 504, body: '<html>' })],
  [2, () => Promise.resolve({ status: 429, headers: { 'retry-after': '0' } })],
];

type Create = (client: { url: string; clave: string }, body: Record<string, unknown>) => Promise<string>;

describe('clients behind a proxy that cuts, delays and repeats', () => {
  let test: TestApp;
  let proxy: HttpStub;
  let faults = 0;

  beforeAll(async () => {
    test = await createTestApp({ env: { ROLE: 'all' } });
    proxy = await startHttpStub();
    proxy.otherwise((request) => {
      const forward = () => send(request);
      let drawn = randomInt(100);
      for (const [percent, fault] of FAULTS) {
        if (drawn < percent) {
          faults += 1;
          return fault(forward);
        }
        drawn -= percent;
      }
      return forward();
    });
  });
  afterAll(async () => {
    await proxy.close();
    await test.close();
  });

  const send = async ({ method, path, headers, rawBody }: StubRequest): Promise<StubAnswer> => {
    const { host: _, connection: __, 'content-length': ___, ...rest } = headers as Record<string, string>;
    const answer = await fetch(test.url + path, { method, headers: rest, body: new Uint8Array(rawBody) });
    const type = answer.headers.get('content-type')!;
    return { status: answer.status, headers: { 'content-type': type }, body: await answer.text() };
  };

  /** Makes SIZE guides, half of them with a reference of their own. */
  const createAll = async (creates: Create[]) => {
    const own = await test.tester();
    const made: string[] = [];
    let next = 0;
    const started = Date.now();
    const work = async (create: Create) => {
      for (let n = next++; n < SIZE; n = next++) {
        const reference = n % 2 === 0 ? { external_ref: `pedido-${n}` } : {};
        const body = guiaBody({ lat: 14.64, lng: -90.51, ...reference });
        made.push(await create({ url: proxy.url, clave: own.key }, body));
      }
    };
    faults = 0;
    proxy.reset();
    await Promise.all(creates.map(work));
    const rows = await test.database.query<{ id: string }>('select id from guias where comercio_id = $1', [
      own.id,
    ]);
    console.log(
      `${made.length} creates, ${proxy.requests.length} requests, ${faults} faults, ${rows.length} guides, ${Date.now() - started} ms`,
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
    expect(made).toHaveLength(SIZE);
  };

  const LIMITS = { reintentos: 12, limiteMs: 3_000 };

  it(`makes exactly ${SIZE} guides of ${SIZE} creates: TypeScript`, async () => {
    const create: Create = async (client, body) =>
      (await new Guias({ ...client, ...LIMITS }).crear(body as never)).id;
    await createAll(Array.from({ length: PARALLEL }, () => create));
  });

  if (!process.env.CLIENT_CREATES) return;

  for (const language of Object.keys(LANGUAGES) as Language[])
    unlessMissing(it, missingFor(language))(
      `makes exactly ${SIZE} guides of ${SIZE} creates: ${language}`,
      async () => {
        const clients = Array.from({ length: PARALLEL }, () => new ClientProcess(language));
        try {
          await createAll(
            clients.map((one) => async (client, body) => {
              const { valor, error } = await one.call({ ...client, ...LIMITS }, 'crear', [body]);
              if (error) throw new Error(JSON.stringify(error));
              return valor.id as string;
            }),
          );
        } finally {
          await Promise.all(clients.map((one) => one.end()));
        }
      },
    );

  it(`passes ${WEBHOOKS} webhooks on once each and in order for each guide, over two restarts`, async () => {
    const own = await test.tester();
    const program = await startHttpStub();
    const command = new ListenCommand();
    const listen = () => command.run(['--key', own.key, '--forward-to', program.url, '--url', test.url]);
    try {
      const first = listen();
      await eventually(() => expect(first.output()).toContain('Termine con Ctrl+C'));
      const expected = new Map<string, number>();
      const makeTen = async () => {
        const { id } = (await own.post('/api/v1/guias', guiaBody({ lat: 14.64, lng: -90.51 }))).body;
        const steps = ['en_camino_a_recoger', 'recogido', 'en_ruta'];
        for (let n = 0; n < 6; n++) steps.push(n % 2 === 0 ? 'intento_fallido' : 'en_ruta');
        for (const estado of steps) {
          const motivo = estado === 'intento_fallido' ? { motivo: 'ausente' } : {};
          const moved = await own.post(`/api/v1/pruebas/guias/${id}/estado`, { estado, ...motivo });
          expect(moved.status).toBe(201);
        }
        expected.set(id, 10);
      };
      const makeAll = async () => {
        for (let n = 0; n < WEBHOOKS / 10; n += PARALLEL)
          await Promise.all(Array.from({ length: Math.min(PARALLEL, WEBHOOKS / 10 - n) }, makeTen));
      };
      const made = makeAll();
      await program.received(Math.floor(WEBHOOKS / 3));
      expect(await first.end('SIGINT')).toBe(0);
      const second = listen();
      await program.received(Math.floor((WEBHOOKS * 2) / 3));
      expect(await second.end('SIGTERM')).toBe(0);
      const third = listen();
      await made;
      await program.received(WEBHOOKS);
      // Whatever would come once more.
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      expect(await third.end('SIGTERM')).toBe(0);
      expect(program.requests).toHaveLength(WEBHOOKS);
      expect(new Set(program.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(WEBHOOKS);
      for (const [id, count] of expected) {
        const seen = program.requests.filter(({ json }) => json.data.guia.id === id);
        const sequence = seen.map(({ json }) => json.data.secuencia as number);
        expect(sequence).toEqual(sequence.toSorted((a, b) => a - b));
        expect(sequence).toHaveLength(count);
      }
    } finally {
      await command.end();
      command.remove();
      await program.close();
    }
  });
});
