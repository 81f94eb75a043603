import { appRoutes } from '@bull-board/api/dist/routes.js';
import Fastify from 'fastify';
import fc from 'fast-check';
import { pino } from 'pino';
import { setupBoard } from '../../src/web/console/board/board.js';
import { basic, createTestBoard, REASON, type TestBoard } from '../support/board.js';
import { expectProblem } from '../support/problem.js';
import { exchange, requestHead } from '../support/raw-http.js';
import { withTestApp, type Answer } from '../support/test-app.js';

const API = '/admin/queues/api/queues';
const PUBLIC_URL = 'http://guias.example:8080';
const RETRY = `${API}/notificaciones/m-1/retry`;

describe('below /admin', () => {
  let board: TestBoard;
  let addresses = 0;

  beforeAll(async () => {
    board = await createTestBoard({ PUBLIC_URL });
    await board.fail({ id: 'm-1' });
  });
  afterAll(() => board.test.close());

  /** Wrong passwords are counted by address, so each request comes from another one by default. */
  const from = (address = `10.0.0.${++addresses}`) => ({ 'x-forwarded-for': address });
  const stranger = (path: string, init: RequestInit = {}) =>
    board.test.request(path, { ...init, headers: { ...from(), ...init.headers } });
  /** Sends a target as it is: `fetch` would normalise it. */
  const raw = (method: string, target: string, headers: Record<string, string> = {}) =>
    exchange(board.test.url, requestHead(method, target, headers));

  function expectLoginAsked(answer: Answer): void {
    expectProblem(answer, 'no_autenticado');
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Guias", charset="UTF-8"');
  }

  const everyRoute = [...appRoutes.api, appRoutes.entryPoint].flatMap(({ method, route }) =>
    [route].flat().map((path) => [String(method).toUpperCase(), `/admin/queues${path}`]),
  );

  it.each([
    ...everyRoute,
    ['GET', '/admin'],
    ['GET', '/admin/'],
    ['GET', '/admin/queues'],
    ['GET', '/admin/queues/guias.css'],
    ['GET', '/admin/queues/static/favicon-32x32.png'],
    ['GET', '/admin/queues/static/locales/es-ES/messages.json'],
    ['GET', '/admin/guias/931637862414'],
    ['GET', '/admin/no/such/page'],
    ['HEAD', '/admin/queues'],
    ['DELETE', API],
    ['OPTIONS', API],
    ['TRACE', API],
  ])('requires a password: %s %s', async (method, path) => {
    const answer = await raw(method, path);
    if (method === 'HEAD') expect(answer.status).toBe(401);
    else expectLoginAsked(answer);
  });

  it('gives strangers the same answer for existing and missing paths', async () => {
    const bodies = await Promise.all(
      [API, RETRY, '/admin/queues', '/admin/queues/static/none.js', '/admin/none'].map(async (path) => {
        const { body, headers } = await stranger(path);
        return {
          ...body,
          instance: 0,
          type: headers.get('content-type'),
          csp: headers.get('content-security-policy'),
        };
      }),
    );
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  it.each([
    ...['/%2561dmin/queues', '/admin%2Fqueues%2Fapi%2Fqueues', '/admin%5cqueues', '/admin\\queues'],
    ...['/api/%2e%2e/admin/queues', '/admin../queues', '/admin%20/queues', '/admin;x=1/queues'],
    ...['/admin?/queues', '/admin/queues#x', 'http://localhost/admin/queues/api/queues'],
    ...['HTTP://other.example:81/admin/queues/api/queues', 'http://a@b/%61dmin/queues/api/queues'],
  ])('requires a password for a disguised path: %s', async (target) =>
    expectLoginAsked(await raw('GET', target)),
  );

  it('requires a password for every encoding of a path', async () => {
    const letter = (char: string) =>
      fc.constantFrom(
        char,
        char.toUpperCase(),
        `%${char.charCodeAt(0).toString(16)}`,
        `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
        ...(char === '/' ? ['//', '/./', '/x/../', '%2f'] : []),
      );
    const target = fc
      .tuple(...[...'admin/queues/api/queues'].map(letter))
      .map((parts) => `/${parts.join('')}`);
    await fc.assert(
      fc.asyncProperty(target, async (path) => expectLoginAsked(await raw('GET', path))),
      { numRuns: 150 },
    );
  });

  it('answers 404 without a password to a path that is too long to be read', async () => {
    expectProblem(await raw('GET', `/admin/${'x'.repeat(2_000)}`), 'no_encontrado');
  });

  it.each(['/administrador', '/adminqueues', '/x/admin', '/api/admin'])(
    'does not require a password elsewhere: %s',
    async (path) => expectProblem(await stranger(path), 'no_encontrado'),
  );

  it.each(['ana', 'peña'])('accepts a user with the right password: %s', async (user) => {
    const answer = await stranger(API, { headers: basic(user) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  const token = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  it.each([
    ['a wrong password', basic('ana', 'clave-de-otra').authorization],
    ['an unknown user', basic('nadie', 'clave-de-ana').authorization],
    ["another user's password", basic('peña', 'clave-de-ana').authorization],
    ['no password', basic('ana', '').authorization],
    ['a longer password', basic('ana', 'clave-de-ana ').authorization],
    ['no colon', token('ana')],
    ['nothing', token('')],
    ['user and password in other places', token('ana:clave:-de-ana')],
    ['no base64', 'Basic ana:clave-de-ana'],
    ['another scheme', `Bearer ${Buffer.from('ana:clave-de-ana').toString('base64')}`],
    ['Latin-1', `Basic ${Buffer.from('peña:año-0=/-y-más', 'latin1').toString('base64')}`],
    ['an empty header', ''],
  ])('refuses %s with the same answer', async (_, authorization) => {
    const answer = await stranger(API, { headers: { authorization } });
    expectLoginAsked(answer);
    expect(answer.body.detail).toBe('Entre con su usuario y su contraseña de soporte.');
  });

  describe('after ten wrong passwords for a user from an address', () => {
    const address = from();
    const guess = (user: string, password?: string) =>
      board.test.request(API, { headers: { ...address, ...basic(user, password) } });
    beforeAll(async () => {
      for (let count = 0; count < 10; count++) expectLoginAsked(await guess('ana', `guess ${count}`));
    });

    // Even the right one, so that guessing is useless.
    it.each(['guess', 'clave-de-ana'])('refuses any password of that user: %s', async (password) => {
      const answer = await guess('ana', password);
      expectProblem(answer, 'demasiadas_solicitudes');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    });

    it('accepts another user from that address, and that user from another address', async () => {
      expect((await guess('peña')).status).toBe(200);
      expect((await stranger(API, { headers: basic() })).status).toBe(200);
    });
  });

  it('refuses any user from an address after a hundred wrong passwords, whatever the names', async () => {
    const address = from();
    const enter = (user: string, password?: string) =>
      board.test.request(API, { headers: { ...address, ...basic(user, password) } });
    const guesses = Array.from({ length: 100 }, (_, count) => enter(`user ${count}`, 'guess'));
    (await Promise.all(guesses)).forEach(expectLoginAsked);
    expectProblem(await enter('user 100', 'guess'), 'demasiadas_solicitudes');
    expectProblem(await enter('ana'), 'demasiadas_solicitudes');
    expect((await stranger(API, { headers: basic() })).status).toBe(200);
  });

  it('refuses the right password after ten wrong ones, also in requests that were sent together', async () => {
    const head = (headers: Record<string, string>) => requestHead('GET', API, { ...guesser, ...headers });
    const guesser = from();
    const wrong = head(basic('ana', 'otra')).replace('Connection: close\r\n', '');
    const { text } = await exchange(board.test.url, wrong.repeat(50) + head(basic()));
    const statuses = [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toHaveLength(50);
    expect(statuses.at(-1)).toBe('429');
    expect(statuses).not.toContain('200');
  });

  it('counts neither right passwords nor requests without one', async () => {
    const address = from();
    for (let count = 0; count < 12; count++) {
      expectLoginAsked(await stranger(API, { headers: address }));
      expect((await stranger(API, { headers: { ...address, ...basic() } })).status).toBe(200);
    }
  });

  describe('accepts changes only from its own pages:', () => {
    const host = () => new URL(board.test.url).host;
    /** 404: accepted, for a queue that does not exist. */
    const change = (headers: Record<string, string>) =>
      raw('PUT', `${API}/otra/retry/failed`, { Host: host(), ...basic(), ...headers });

    it.each([
      ['from the same origin', { 'Sec-Fetch-Site': 'same-origin' }, 404, 'no_encontrado'],
      ['from another site', { 'Sec-Fetch-Site': 'cross-site' }, 403, 'sin_permiso'],
      ['with the Origin of PUBLIC_URL', { Origin: PUBLIC_URL }, 404, 'no_encontrado'],
      ['with another Origin', { Origin: 'https://evil.example' }, 403, 'sin_permiso'],
    ])('%s', async (_, headers, status, codigo) => {
      const answer = await change(headers);
      expect([answer.status, answer.body.codigo]).toEqual([status, codigo]);
    });

    it('reads from any site', async () => {
      const headers = { ...basic(), 'Sec-Fetch-Site': 'cross-site', Host: host() };
      expect((await raw('GET', '/admin/queues', headers)).status).toBe(200);
    });
  });

  it.each([
    ['/admin/queues', 200, 'no-store'],
    ['/admin/queues/queue/notificaciones/m-1', 200, 'no-store'],
    [API, 200, 'no-store'],
    [`${API}/notificaciones/nadie`, 404, 'no-store'],
    ['/admin/none', 404, 'no-store'],
    ['/admin/queues/static/favicon-32x32.png', 200, 'private, max-age=3600'],
    ['/admin/queues/guias.css', 200, 'no-store'],
  ])('is not cached publicly, framed or indexed: %s', async (path, status, cached) => {
    const { status: given, headers } = await board.request(path);
    expect(given).toBe(status);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': cached,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/,
      ),
    });
  });

  it('serves the board in Spanish without references to other servers', async () => {
    const { text, headers } = await board.request('/admin/queues');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('<title>Guías: colas</title>');
    expect(text).toContain('<html lang="es"');
    expect(text).toContain('"lng":"es-ES"');
    expect(text).not.toMatch(/https?:/);
    expect((await board.request('/admin/queues', { method: 'HEAD' })).status).toBe(200);
  });

  it('shows the reason of a failure instead of a stack trace', async () => {
    const { body } = await board.request(`${API}/notificaciones/m-1`);
    expect(body.job).toMatchObject({ failedReason: REASON, stacktrace: [REASON] });
  });

  it('answers 405 with the allowed methods', async () => {
    const answer = await board.request(API, { method: 'DELETE' });
    expectProblem(answer, 'metodo_no_permitido');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('without board users', () => {
  it('answers 404 for the board', () =>
    withTestApp({}, async (test) => {
      for (const path of ['/admin/queues', API, '/admin', '/admin/guias/931637862414'])
        expectProblem(await test.request(path), 'no_encontrado');
    }));

  it('refuses to set up a board without protectAdmin', () => {
    const options = { queues: [], logger: pino({ level: 'silent' }) } as unknown as Parameters<
      typeof setupBoard
    >[1];
    expect(() => setupBoard(Fastify(), options)).toThrow('protectAdmin');
  });
});
