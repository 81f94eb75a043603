import { randomBytes } from 'node:crypto';
import { generateApiKey } from '../../src/auth/keys/api-key.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { eventually } from '../support/eventually.js';
import { exchange, requestHead } from '../support/raw-http.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import {
  createTestApp,
  guiaBody,
  type Answer,
  type TestApp,
  type TestMerchant,
  withTestApp,
} from '../support/test-app.js';

const GUIAS = '/api/v1/guias';

/** A text found nowhere else, to be searched for in the log. */
const canary = (what: string) => `canario${what}${randomBytes(6).toString('hex')}`;

describe('the log', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await createTcpProxy(database);
    test = await createTestApp({ database: proxy.database, env: { ROLE: 'all', LOG_LEVEL: 'trace' } });
    merchant = await test.merchant();
  });
  afterAll(async () => {
    await test.close();
    await proxy.close();
    await database.drop();
  });

  const raw = (headers: Record<string, string>, method = 'GET', path = GUIAS) =>
    exchange(test.url, requestHead(method, path, { Authorization: `Bearer ${merchant.key}`, ...headers }));
  /** Resolves once all lines of earlier requests are written: an answer may overtake its line. */
  const untilWritten = async () => {
    const { headers } = await test.request('/livez');
    const isLast = ({ reqId }: { reqId?: string }) => reqId === headers.get('x-request-id');
    await eventually(() => expect(test.logs.some(isLast)).toBe(true));
    test.logs.splice(test.logs.findIndex(isLast), 1);
  };
  /** Lines that a request wrote. On a busy machine a worker may say beside it that its store was slow to answer. */
  const linesOf = async (run: () => Promise<Answer>) => {
    const before = test.logs.length;
    const answer = await run();
    await untilWritten();
    return { answer, lines: test.logs.slice(before).filter(({ queue }) => queue === undefined) };
  };

  it('has one line for each request: who, which route, its status and time', async () => {
    const { answer, lines } = await linesOf(() => merchant.post(GUIAS, guiaBody()));
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        msg: 'request',
        reqId: answer.headers.get('x-request-id'),
        method: 'POST',
        route: GUIAS,
        status: 201,
        ms: expect.any(Number),
        merchant: merchant.id,
        key: merchant.key.slice(0, 'gk_live_12345678'.length),
      },
    ]);
  });

  it('names the code of an error, and the route by its template, not by its address', async () => {
    const { lines } = await linesOf(() => merchant.get(`${GUIAS}/no-existe?x=1`));
    expect(lines).toMatchObject([{ route: `${GUIAS}/:id`, status: 400, codigo: 'validacion' }]);
  });

  it.each([
    ['an address that cannot be decoded', '%ff'],
    ['an address with a part that is too long', 'x'.repeat(300)],
  ])('has one line for %s', async (_, id) => {
    const { answer, lines } = await linesOf(() => merchant.get(`${GUIAS}/${id}`));
    expect(lines).toMatchObject([
      { reqId: answer.headers.get('x-request-id'), status: 404, codigo: 'no_encontrado' },
    ]);
  });

  it.each([
    ['a line break', 'a\r\n{"level":60,"msg":"forged"}\nb'],
    ['an ANSI sequence', 'a\u001b[2J\u001b[31mb'],
    ['U+2028', 'a\u2028{"msg":"forged"}\u2029b'],
  ])('has neither a second line nor the text after %s in any field', async (_, text) => {
    const over = { ...fields(text), recogida: { lat: 1, lng: 1, nombre: text, direccion: text } };
    const { lines } = await linesOf(() => merchant.post(GUIAS, guiaBody(over)));
    const query = await linesOf(() => merchant.get(`${GUIAS}?cursor=${encodeURIComponent(text)}`));
    const path = await linesOf(() => merchant.get(`${GUIAS}/${encodeURIComponent(text)}`));
    for (const written of [lines, query.lines, path.lines]) {
      expect(written).toHaveLength(1);
      expect(JSON.stringify(written)).not.toMatch(/forged|\[31m/);
    }
  });

  it.each([
    'a{"msg":"forged"}',
    'a b',
    'a\tb',
    '\u00e2\u0080\u00a8forged',
    'forged%0d%0aforged',
    'a'.repeat(65),
    '',
  ])('has another id in place of a malformed X-Request-Id %j', async (id) => {
    const { answer, lines } = await linesOf(() => raw({ 'X-Request-Id': id }));
    expect(lines).toHaveLength(1);
    expect(lines[0]!.reqId).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    expect(lines[0]!.reqId).toBe(answer.headers.get('x-request-id'));
    expect(lines[0]!.reqId).not.toBe(id);
    expect(JSON.stringify(lines)).not.toContain('forged');
  });

  describe('never holds a phone, name, address, reference, key or token, nor do error answers, metrics or jobs', () => {
    const secret = (key: string) => key.slice('gk_live_12345678_'.length);
    const text = fields(canary('texto'));
    const telefono = '+50255550193';
    const body = (over: Record<string, unknown> = {}) =>
      guiaBody({ ...text, telefono, recogida: { lat: 1, lng: 1, ...fields(canary('punto')) }, ...over });
    const plain = (over: Record<string, unknown> = {}) =>
      guiaBody({
        ...text,
        telefono,
        recogida: { lat: 1, lng: 1, nombre: text.nombre, direccion: text.direccion },
        ...over,
      });
    const trigger = (does: string) => [
      `create or replace function stop() returns trigger language plpgsql as $$ begin ${does} end $$`,
      'create or replace trigger stop before insert on guias for each row execute function stop()',
    ];
    const during = async (statements: string[], undo: string, run: () => Promise<Answer>) => {
      for (const statement of statements) await database.query(statement);
      try {
        return await run();
      } finally {
        await database.query(undo);
      }
    };
    const wrong = `gk_live_${canary('x').slice(0, 8)}_${'0'.repeat(38)}`;

    const unknown = generateApiKey();

    const paths: [status: number, what: string, run: () => Promise<Answer>][] = [
      [201, 'a new guide', () => merchant.post(GUIAS, plain())],
      [200, 'a repeat that differs', () => merchant.post(GUIAS, plain({ notas: canary('otra') }))],
      [200, 'a list', () => merchant.get(GUIAS)],
      [400, 'unknown fields', () => merchant.post(GUIAS, body())],
      [400, 'bad JSON', () => merchant.post(GUIAS, JSON.stringify(plain()).slice(0, -1))],
      [400, 'a bad cursor', () => merchant.get(`${GUIAS}?cursor=${text.notas}`)],
      [400, 'a bad parameter', () => merchant.get(`${GUIAS}?sobra=${text.notas}&telefono=${telefono}x`)],
      [401, 'a wrong key', () => test.request(GUIAS, { headers: { authorization: `Bearer ${wrong}` } })],
      [401, 'an unknown key', () => test.request(GUIAS, { headers: { authorization: `Bearer ${unknown}` } })],
      [404, 'an unknown token', () => test.request(`/c/${text.notas}`)],
      [
        400,
        'a confirmation that is no form',
        () =>
          test.request(`/c/${text.notas}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: `{"maps_url":"${text.notas}"`,
          }),
      ],
      [404, 'an unknown guide', () => merchant.get(`${GUIAS}/${text.external_ref}`)],
      [404, 'an unknown route', () => merchant.get(`/${text.external_ref}?telefono=${telefono}`)],
      [404, 'a bad address', () => merchant.get(`/${text.external_ref}%ff`)],
      [
        405,
        'another method',
        () => raw({ 'X-Nota': text.notas! }, 'DELETE', `${GUIAS}/${text.external_ref}`),
      ],
      [413, 'too large', () => merchant.post(GUIAS, plain({ notas: text.notas!.repeat(2_000) }))],
      [415, 'another type', () => merchant.post(GUIAS, plain(), { 'content-type': `text/${text.notas}` })],
      [422, 'an unknown link', () => merchant.post(GUIAS, plain({ maps_url: `https://${text.notas}.com/` }))],
      [400, 'broken HTTP', () => exchange(test.url, `GET /${text.notas} HTTP/1.1\r\n${telefono}\r\n\r\n`)],
      [
        500,
        'a defect whose message quotes the row',
        () =>
          during(
            trigger(`raise exception 'boom % %', new.telefono, new using detail = new.destinatario;`),
            'drop trigger stop on guias',
            () => merchant.post(GUIAS, plain({ external_ref: null })),
          ),
      ],
      [
        400,
        'a CHECK, whose detail quotes the row',
        () =>
          during(
            [`alter table guias add constraint no check (telefono <> '${telefono}') not valid`],
            'alter table guias drop constraint no',
            () => merchant.post(GUIAS, plain({ external_ref: null })),
          ),
      ],
      [
        503,
        'a database that is gone',
        () => {
          proxy.set({ kind: 'cut' });
          return merchant.post(GUIAS, plain()).finally(() => proxy.set({ kind: 'fair' }));
        },
      ],
    ];

    it('on success and on every error path, at level trace', async () => {
      const refusals: string[] = [];
      for (const [status, what, run] of paths) {
        const answer = await run();
        expect({ what, status: answer.status }).toEqual({ what, status });
        if (status >= 400) refusals.push(answer.text + JSON.stringify([...answer.headers]));
      }
      await untilWritten();
      const jobs = test.app.get(QueuesService).all.map((queue) => queue.getJobs());
      const places = {
        log: JSON.stringify(test.logs),
        refusals: refusals.join('\n'),
        metrics: (await test.request('/metrics')).text,
        jobs: JSON.stringify((await Promise.all(jobs)).flat()),
      };
      expect(places.jobs).toContain('guia');
      const secrets = [merchant.key, wrong, unknown].map(secret);
      const databaseName = new URL(database.url).pathname.slice(1);
      for (const [place, written] of Object.entries(places)) {
        for (const datum of ['canario', telefono.slice(-8), ...secrets, 'postgres://', databaseName])
          expect({ place, datum, isThere: written.toLowerCase().includes(datum.toLowerCase()) }).toEqual({
            place,
            datum,
            isThere: false,
          });
      }
    });
  });
});

it.each<[what: string, env: Record<string, string>, warnings: number]>([
  ['one warning without TRUST_PROXY', {}, 1],
  ['none with TRUST_PROXY=false', { TRUST_PROXY: 'false' }, 0],
  ['none with a trusted proxy', { TRUST_PROXY: '1' }, 0],
])('requests with X-Forwarded-For give the log %s', async (_, env, warnings) => {
  await withTestApp({ env: { ...env } }, async ({ request, logs }) => {
    for (let i = 0; i < 3; i++) await request('/livez', { headers: { 'x-forwarded-for': '203.0.113.1' } });
    const found = logs.filter(({ level, msg }) => level === 40 && /TRUST_PROXY/.test(String(msg)));
    expect(found).toHaveLength(warnings);
    expect(JSON.stringify(found)).not.toContain('203.0.113.1');
  });
});

/** Every text field of a create request, with one text. */
function fields(text: string): Record<string, string> {
  const names = [
    ...['nombre', 'departamento', 'municipio', 'direccion', 'referencia', 'contenido', 'notas'],
    'external_ref',
  ];
  return Object.fromEntries(names.map((name) => [name, text]));
}
