import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import type { ErrorCode } from '../../src/platform/errors/error-codes.js';
import { eventually } from '../support/eventually.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { exchange, requestHead } from '../support/raw-http.js';
import { createTestApp, guiaBody, withTestApp, type TestApp } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';

const COMMON = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/** Short ones: 2,100 of them are fewer than 16 KiB. */
const headers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n.toString(36)}`, '']));

describe('an HTTP request', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());

  /** POST with a header exactly as written; undefined leaves it out. */
  const post = (contentType: string | undefined, body: string) =>
    exchange(
      test.url,
      requestHead('POST', GUIAS, {
        Authorization: `Bearer ${merchant.key}`,
        'Content-Length': String(Buffer.byteLength(body)),
        ...(contentType !== undefined && { 'Content-Type': contentType }),
      }),
      body,
    );
  const valid = JSON.stringify(guiaBody());
  const invalid = JSON.stringify(guiaBody({ telefono: 'abc', sobra: 1 }));

  describe('with the Content-Type', () => {
    it.each([
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON',
      'application/json\t; charset=utf-8',
    ])('%j is accepted as JSON, and the body is validated', async (type) => {
      expect((await post(type, valid)).status).toBe(201);
      expectFaults(await post(type, invalid), ['telefono: formato', 'sobra: campo_desconocido']);
    });

    it.each([
      ...[undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'],
      ...['application/merge-patch+json', 'application/json, text/plain'],
      ...[' text/plain; x=application/json', '*/*'],
    ])('%j is refused with 415', async (type) => {
      expectProblem(await post(type, valid), 'tipo_no_soportado');
    });

    it.each([
      '\u00a0application/json',
      'application/json\ttext/plain',
      'application/json; charset=utf-16',
      'a'.repeat(200),
    ])('%j never lets an invalid body through', async (type) => {
      expect([400, 415]).toContain((await post(type, invalid)).status);
    });
  });

  describe('with an empty body', () => {
    let guia: string;
    beforeAll(async () => {
      guia = (await merchant.post(GUIAS, guiaBody())).body.id;
    });
    const send = (method: string, path: string, headers: Record<string, string>, body = '') =>
      exchange(
        test.url,
        requestHead(method, path, { Authorization: `Bearer ${merchant.key}`, ...headers }),
        body,
      );
    /** As PHP's curl, wget, Python and .NET send nothing. */
    const EMPTY = (
      [
        ['of no type', { 'Content-Length': '0' }],
        ['of a form', { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '0' }],
        ['of text', { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': '0' }],
        ['of CSV', { 'Content-Type': 'text/csv', 'Content-Length': '0' }],
        ['of a malformed type', { 'Content-Type': 'json', 'Content-Length': '0' }],
        ['of a compressed type', { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }],
        [
          'of a form in chunks',
          { 'Content-Type': 'application/x-www-form-urlencoded', 'Transfer-Encoding': 'chunked' },
          '0\r\n\r\n',
        ],
        ['of no type in chunks', { 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'],
        ['of JSON', { 'Content-Type': 'application/json', 'Content-Length': '0' }],
      ] as [what: string, headers: Record<string, string>, body?: string][]
    ).map(([what, headers, body = '']) => [what, headers, body] as const);

    it.each(EMPTY)('%s does what needs no body', async (_, headers, body) => {
      expect((await send('POST', `${GUIAS}/${guia}/cancelar`, headers, body)).status).toBe(200);
      expectProblem(await send('DELETE', '/api/v1/webhooks/no-such', headers, body), 'no_encontrado');
      expectProblem(await send('POST', '/api/v1/webhooks/no-such/probar', headers, body), 'no_encontrado');
      expectProblem(await send('POST', '/api/v1/webhooks/no-such/rotar', headers, body), 'no_encontrado');
    });

    it.each(EMPTY.slice(0, -1))('%s is told which fields are missing', async (_, headers, body) => {
      for (const [method, path] of [
        ['POST', GUIAS],
        ['PATCH', `${GUIAS}/${guia}`],
      ] as const) {
        const answer = await send(method, path, headers, body);
        expect(answer).toMatchObject({ status: 400, body: { codigo: 'validacion' } });
      }
    });

    it('of JSON is not JSON where a body is needed', async () => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': '0' };
      expectProblem(await send('POST', GUIAS, headers), 'json_invalido');
    });
  });

  it.each(['application/merge-patch+json', 'application/merge-patch+json; charset=utf-8'])(
    'changes a guide with PATCH and the type %s',
    async (type) => {
      const { id } = (await merchant.post(GUIAS, guiaBody())).body;
      const merge = { 'content-type': type };
      const answer = await merchant.patch(`${GUIAS}/${id}`, { notas: 'otra' }, merge);
      expect([answer.status, answer.body.guia?.notas]).toEqual([200, 'otra']);
      expectFaults(await merchant.patch(`${GUIAS}/${id}`, { notas: 5 }, merge), ['notas: tipo']);
      expectProblem(await merchant.patch(`${GUIAS}/${id}`, '{', merge), 'json_invalido');
    },
  );

  describe('by its path', () => {
    it.each(['%ff', '%', '%zz', '%c0%af', '%00', '..%2f..%2fetc', '😀', 'a'.repeat(101), 'a'.repeat(300)])(
      'gets 404 for a guide named %s',
      async (id) => {
        const answer = await merchant.get(`${GUIAS}/${id}`, { 'x-request-id': 'mine' });
        expectProblem(answer, 'no_encontrado');
        expect(answer.headers.get('x-request-id')).toBe('mine');
      },
    );

    it('gets 405 for a method that its route does not have, however long the id is', async () => {
      for (const id of ['x', 'x'.repeat(99), 'x'.repeat(150)]) {
        const answer = await test.request(`${GUIAS}/${id}`, { method: 'DELETE' });
        expect({ length: id.length, status: answer.status }).toEqual({ length: id.length, status: 405 });
      }
    });

    const getExactly = (path: string) =>
      exchange(test.url, requestHead('GET', path, { Authorization: `Bearer ${merchant.key}` }));

    it.each([
      ...['/api/v1/guias/', '//api/v1/guias', '/api//v1/guias', '/api/v1///guias', '/api/v1/guias//'],
      '//api/v1/guias?estado=aceptado',
    ])('may have slashes at its end and doubled ones: %s', async (path) => {
      expect((await getExactly(path)).status).toBe(200);
    });

    it('gets 405 with the allowed methods for doubled slashes too', async () => {
      const answer = await exchange(test.url, requestHead('PUT', '//api//v1/guias', {}));
      expectProblem(answer, 'metodo_no_permitido');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    });

    it('gets 404 for another spelling of a path', async () => {
      for (const path of ['/API/v1/guias', '/api/v1/guias;x', '/api/v2/guias', '//api/v1/guia']) {
        expectProblem(await getExactly(path), 'no_encontrado');
      }
    });
  });

  describe('that is malformed', () => {
    const head = (headers: Record<string, string>) => requestHead('POST', GUIAS, headers);
    const broken: [what: string, codigo: ErrorCode, bytes: string][] = [
      ['noise', 'http_invalido', '\x16\x03\x01\x02\r\n\r\n'],
      ['a method that does not exist', 'http_invalido', `FETCH ${GUIAS} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['a header without a colon', 'http_invalido', requestHead('GET', GUIAS, {}).replace('Host:', 'Host')],
      ['a control character in a header', 'http_invalido', head({ 'X-Request-Id': 'a\x1b[31m' })],
      [
        'a length and chunks',
        'http_invalido',
        head({ 'Content-Length': '1', 'Transfer-Encoding': 'chunked' }),
      ],
      ['no Host', 'http_invalido', head({}).replace(/Host: .*\r\n/, '')],
      [
        'an expectation that nobody knows',
        'expectativa_no_soportada',
        requestHead('GET', '/livez', { Expect: 'foo' }),
      ],
      ['101 headers', 'encabezados_excesivos', requestHead('GET', '/livez', headers(99))],
      [
        'more headers than Node reads',
        'encabezados_excesivos',
        requestHead('GET', '/metrics', headers(2_100)),
      ],
      ['20 KB of headers', 'encabezados_excesivos', head({ 'X-Long': 'a'.repeat(20_000) })],
    ];
    it.each(broken)('by %s gets %s, as a problem with a request id', async (_, codigo, bytes) => {
      const answer = await exchange(test.url, bytes);
      expectProblem(answer, codigo);
      expect(Object.fromEntries(answer.headers)).toMatchObject(COMMON);
      expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    });

    it.each([
      ['a line end after the key', 'Authorization: Bearer gk_live_x\n'],
      ['a line end in a value', 'Idempotency-Key: a\nb'],
      ['NUL', 'Idempotency-Key: a\0'],
      ['an accent in the name', 'Clavé: a'],
    ])('by a header with %s is told that it is a header', async (_, line) => {
      const answer = await exchange(test.url, `GET ${GUIAS} HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`);
      expectProblem(answer, 'http_invalido');
      expect(answer.body.detail).toMatch(/^Un encabezado tiene un salto de línea u otro signo/);
    });

    it.each(['?external_ref=Petén', '/ñandú', '?external_ref=pedido 7'])(
      'by a letter or blank in its address that is not encoded is told how to encode it: %s',
      async (end) => {
        const answer = await exchange(test.url, `GET ${GUIAS}${end} HTTP/1.1\r\nHost: x\r\n\r\n`);
        expectProblem(answer, 'http_invalido');
        expect(answer.body.detail).toMatch(/^La dirección tiene una letra o un signo sin codificar/);
      },
    );
  });

  it('that is refused has at most 64 KiB of its body read after the answer; then its connection is closed', async () => {
    const accepted = new Promise<Socket>((resolve) => test.app.getHttpServer().once('connection', resolve));
    const { hostname, port } = new URL(test.url);
    const sender = connect(Number(port), hostname);
    sender.on('error', () => undefined);
    const closed = new Promise((resolve) => sender.on('close', resolve));
    const length = 64 * 1024 * 1024;
    const head = requestHead('POST', GUIAS, { 'Content-Length': String(length) });
    sender.write(head.replace('Connection: close\r\n', ''));
    const [answer] = (await once(sender, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
    sender.write(Buffer.alloc(length));
    await closed;
    // The last piece may be as large as a read of the socket.
    expect((await accepted).bytesRead).toBeLessThanOrEqual(128 * 1024 + head.length);
  });

  it.each<[what: string, codigo: ErrorCode, path: string, headers: Record<string, string>]>([
    ['above the limit', 'cuerpo_demasiado_grande', GUIAS, {}],
    ['without a key', 'no_autenticado', GUIAS, { Authorization: 'Bearer x' }],
    ['of another type', 'tipo_no_soportado', GUIAS, { 'Content-Type': 'text/plain' }],
    ['that is compressed', 'tipo_no_soportado', GUIAS, { 'Content-Encoding': 'gzip' }],
    ['on a path that cannot be decoded', 'no_encontrado', `${GUIAS}/%ff`, {}],
    ['in chunks', 'no_autenticado', GUIAS, { Authorization: 'Bearer x', 'Transfer-Encoding': 'chunked' }],
  ])(
    'with a body of 100 KB %s gets an answer that says Connection: close, whole, before the end of its connection',
    async (_, codigo, path, headers) => {
      const body = ' '.repeat(100_000);
      const chunked = 'Transfer-Encoding' in headers;
      const head = requestHead('POST', path, {
        Authorization: `Bearer ${merchant.key}`,
        'Content-Type': 'application/json',
        ...(!chunked && { 'Content-Length': String(body.length) }),
        ...headers,
      }).replace('Connection: close\r\n', '');
      const answer = await exchange(test.url, head, chunked ? `186a0\r\n${body}\r\n0\r\n\r\n` : body);
      expectProblem(answer, codigo);
      expect(answer.headers.get('connection')).toBe('close');
    },
  );

  it('that is refused keeps its connection if its body is small', async () => {
    const body = '{"a":1}';
    const refused = requestHead('POST', GUIAS, { 'Content-Length': String(body.length) });
    const next = requestHead('GET', '/livez', {});
    const answer = await exchange(test.url, refused.replace('Connection: close\r\n', '') + body + next);
    expect(answer.status).toBe(401);
    expect(answer.text).toMatch(/HTTP\/1.1 200 /);
  });

  it('may have 100 headers', async () => {
    expect((await exchange(test.url, requestHead('GET', '/livez', headers(98)))).status).toBe(200);
  });

  it('gets 404 for a path of more than 1,024 characters; its query may be longer', async () => {
    const get = (target: string) => exchange(test.url, requestHead('GET', target, {}));
    expectProblem(await get(`/livez${'/'.repeat(1_025)}`), 'no_encontrado');
    expect((await get(`/livez?${'x'.repeat(4_000)}`)).status).toBe(200);
  });

  describe('that does not arrive whole', () => {
    const whole = requestHead('POST', GUIAS, { 'Content-Type': 'application/json', 'Content-Length': '20' });
    const late = opened(() => createTestApp({ database: test.database, timeLimits: { receive: 200 } }));

    it.each([
      ['its head', whole.slice(0, 30)],
      ['its body', `${whole}{"telefono"`],
    ])(
      'gets 408 and loses its connection, even if the client does not close its side: %s',
      async (_, part) => {
        const authorization = `Authorization: Bearer ${merchant.key}\r\n`;
        const { hostname, port } = new URL(late.url);
        const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
        socket.write(part.replace('Connection: close\r\n', authorization));
        const [answer] = (await once(socket, 'data')) as [Buffer];
        expect(answer.toString()).toMatch(/^HTTP\/1.1 408 /);
        await eventually(async () => {
          const connections = promisify((done: (error: Error | null, count: number) => void) =>
            late.app.getHttpServer().getConnections(done),
          );
          expect(await connections()).toBe(0);
        });
        socket.destroy();
      },
    );
  });

  describe('gets an answer whose Strict-Transport-Security', () => {
    const header = async ({ request }: Pick<TestApp, 'request'>, headers: Record<string, string>) =>
      (await request('/livez', { headers })).headers.get('strict-transport-security');
    const forwarded = { 'x-forwarded-proto': 'https' };

    it.each<[what: string, env: Record<string, string>, headers: Record<string, string>, isSent: boolean]>([
      ['sent with an https PUBLIC_URL', { PUBLIC_URL: 'https://guias.example' }, {}, true],
      ['sent behind a trusted proxy that ends TLS', { TRUST_PROXY: '127.0.0.1' }, forwarded, true],
      [
        'not sent over plain http',
        { PUBLIC_URL: 'http://guias.example', TRUST_PROXY: '127.0.0.1' },
        {},
        false,
      ],
    ])('is %s', async (_, env, headers, isSent) => {
      await withTestApp({ env, database: test.database }, async (app) =>
        expect(await header(app, headers)).toBe(isSent ? 'max-age=31536000' : null),
      );
    });

    it('is not sent behind a proxy that is not trusted', async () =>
      expect(await header(test, forwarded)).toBeNull());
  });

  it('gets the common headers with every answer, and JSON in UTF-8 on success', async () => {
    const answers = [
      await merchant.get(GUIAS),
      await merchant.post(GUIAS, guiaBody()),
      await merchant.post(GUIAS, {}),
      await test.request(GUIAS),
      await test.request('/no/such/path'),
      await test.request(`${GUIAS}/%ff`),
      await test.request('/livez'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 400, 401, 404, 404, 200]);
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject({
        ...COMMON,
        'content-type': expect.stringMatching(/^application\/(json; charset=utf-8|problem\+json)/),
      });
      expect([...headers.keys()]).not.toEqual(expect.arrayContaining(['x-powered-by']));
      expect([...headers.keys()]).not.toEqual(expect.arrayContaining(['server']));
    }
  });
});
