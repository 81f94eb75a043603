import { expectFaults, expectProblem } from '../support/problem.js';
import { exchange, requestHead } from '../support/raw-http.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';

describe('HTTP on the wire', () => {
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    test = await createTestApp();
    merchant = await test.merchant();
  });
  afterAll(() => test.close());

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

  describe('Content-Type', () => {
    it.each([
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON',
      'application/json ; charset=utf-8',
      'application/json\t; charset=utf-8',
      'application/json;',
    ])('%j is accepted as JSON, and the body is validated', async (type) => {
      expect((await post(type, valid)).status).toBe(201);
      expectFaults(await post(type, invalid), ['telefono: formato', 'sobra: campo_desconocido']);
    });

    it.each([
      undefined,
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonx',
      'application/json5',
      'application/merge-patch+json',
      'application/json, text/plain',
      'application/ json',
      ' text/plain; x=application/json',
      'json',
      '*/*',
      ';application/json',
    ])('%j is refused with 415', async (type) => {
      expectProblem(await post(type, valid), 'tipo_no_soportado');
    });

    it.each([
      '\u00a0application/json',
      'application/json\ttext/plain',
      'application/json text/plain',
      'application/json;;',
      'application/json; charset=utf-16',
      'application\\json',
      'application/json\u00a0',
      'a'.repeat(200),
    ])('%j never lets an invalid body through', async (type) => {
      expect([400, 415]).toContain((await post(type, invalid)).status);
    });
  });

  describe('addresses', () => {
    it.each(['%ff', '%', '%zz', '%c0%af', '%00', '..%2f..%2fetc', '😀', 'a'.repeat(101), 'a'.repeat(300)])(
      'a guide called %s does not exist: 404',
      async (id) => {
        const answer = await merchant.get(`${GUIAS}/${id}`, { 'x-request-id': 'mine' });
        expectProblem(answer, 'no_encontrado');
        expect(answer.headers.get('x-request-id')).toBe('mine');
      },
    );

    it('a method that a route does not have is 405 whatever the rest of the address', async () => {
      for (const id of ['x', 'x'.repeat(99), 'x'.repeat(150)]) {
        const answer = await test.request(`${GUIAS}/${id}`, { method: 'DELETE' });
        expect({ length: id.length, status: answer.status }).toEqual({ length: id.length, status: 405 });
      }
    });

    it('a slash at the end changes nothing', async () => {
      expect((await merchant.get(`${GUIAS}/`)).status).toBe(200);
    });

    it('other spellings of a path are other paths: 404', async () => {
      for (const path of [
        '/API/v1/guias',
        '/api//v1/guias',
        '/api/v1/guias;x',
        '/api/v2/guias',
        '//api/v1/guias',
      ]) {
        const answer = await exchange(
          test.url,
          requestHead('GET', path, { Authorization: `Bearer ${merchant.key}` }),
        );
        expectProblem(answer, 'no_encontrado');
      }
    });
  });

  describe('bytes that are not HTTP', () => {
    const broken: [what: string, status: number, bytes: string][] = [
      ['noise', 400, '\x16\x03\x01\x02\r\n\r\n'],
      ['a method that does not exist', 400, `FETCH ${GUIAS} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['a version that does not exist', 400, `GET ${GUIAS} HTTP/9.9\r\nHost: x\r\n\r\n`],
      ['a header without a colon', 400, requestHead('GET', GUIAS, {}).replace('Host:', 'Host')],
      ['a control character in a header', 400, requestHead('GET', GUIAS, { 'X-Request-Id': 'a\x1b[31m' })],
      ['a folded header', 400, requestHead('GET', GUIAS, { 'X-Request-Id': 'a\r\n b' })],
      ['a space before the colon', 400, requestHead('GET', GUIAS, { 'X-Request-Id ': 'a' })],
      ['two lengths', 400, requestHead('POST', GUIAS, { 'Content-Length': '1', 'content-length': '2' })],
      [
        'a length and chunks',
        400,
        requestHead('POST', GUIAS, { 'Content-Length': '1', 'Transfer-Encoding': 'chunked' }),
      ],
      ['a length that is no number', 400, requestHead('POST', GUIAS, { 'Content-Length': '1e3' })],
      ['20 KB of headers', 431, requestHead('GET', GUIAS, { 'X-Long': 'a'.repeat(20_000) })],
    ];
    it.each(broken)('%s: %i, as a problem with a request id', async (_, status, bytes) => {
      const answer = await exchange(test.url, bytes);
      expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
        status,
        type: 'application/problem+json',
      });
      expect(answer.body).toEqual({
        ok: false,
        type: 'about:blank',
        title: expect.any(String),
        status,
        codigo: expect.any(String),
        detail: expect.stringMatching(/\.$/),
        instance: answer.headers.get('x-request-id'),
      });
      expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    });

    it('a chunk size that is no number: 400', async () => {
      const head = requestHead('POST', GUIAS, {
        Authorization: `Bearer ${merchant.key}`,
        'Content-Type': 'application/json',
        'Transfer-Encoding': 'chunked',
      });
      expectProblem(await exchange(test.url, head, 'zz\r\n'), 'json_invalido');
    });

    it('do not affect the next request', async () => {
      expect((await merchant.get(GUIAS)).status).toBe(200);
    });
  });

  it('two requests in one write get two answers, in order', async () => {
    const head = (id: string) => requestHead('GET', '/livez', { 'X-Request-Id': id });
    const answer = await exchange(
      test.url,
      head('first').replace('Connection: close\r\n', '') + head('second'),
    );
    expect(answer.headers.get('x-request-id')).toBe('first');
    expect(answer.text).toMatch(/x-request-id: second/i);
  });

  it('every answer has the common headers; success is JSON in UTF-8', async () => {
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
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-type': expect.stringMatching(/^application\/(json; charset=utf-8|problem\+json)/),
      });
      expect([...headers.keys()]).not.toEqual(expect.arrayContaining(['x-powered-by']));
      expect([...headers.keys()]).not.toEqual(expect.arrayContaining(['server']));
    }
  });
});
