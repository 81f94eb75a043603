import { Logger } from '@nestjs/common';
import { CONSOLE_USERS, staff } from '../support/console.js';
import { expectProblem } from '../support/problem.js';
import { exchange, requestHead } from '../support/raw-http.js';
import { routesOf, type Route } from '../support/routes.js';
import { useTestApp } from '../support/use.js';

/** Every public route is listed here. */
const PUBLIC = [
  // Lead to the documentation.
  /^\/(api)?$/,
  // Browsers ask for it by themselves.
  /^\/favicon\.ico$/,
  /^\/livez$/,
  /^\/readyz$/,
  /^\/metrics$/,
  /^\/api\/docs(\/|-json$|-yaml$|\*|$)/,
  // The token in it is the key.
  /^\/c\/(:token|assets\/:name)$/,
  /^\/r\/(:token(\/(guias|eventos|entendidos|buscar|tomar))?|assets\/:file(\/:name)?|sw\.js|sin-red)$/,
  // Asks for a password and a role. Without BOARD_USERS it does not exist.
  /^\/admin(\/|$)/,
  // Asks for a session.
  /^\/panel(\/|$)/,
  // Verifies a signature.
  /^\/webhooks\/whatsapp$/,
];

describe('every route', () => {
  // Of its own: what Nest logs goes to the app that was opened last.
  const test = useTestApp({ env: { BOARD_USERS: CONSOLE_USERS } });
  let routes: Route[];

  beforeAll(() => {
    routes = routesOf(test);
  });

  const isPublic = ({ path }: Route) => PUBLIC.some((pattern) => pattern.test(path));
  const open = ({ method, path }: Route, headers: Record<string, string>, body?: string) => {
    const filled = path.replace(/:\w+/g, '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57').replace('*', 'x');
    return test.request(filled, { method, headers, body, redirect: 'manual' });
  };

  it('is known to this test: the router lists all that the document has', async () => {
    const known = routes.map(({ method, path }) => `${method} ${path}`);
    expect(known).toEqual(
      expect.arrayContaining([
        'GET /api/v1/guias',
        'POST /api/v1/guias',
        'GET /api/v1/guias/:id',
        'GET /livez',
      ]),
    );
    const { paths } = (await test.request('/api/docs-json')).body;
    for (const [path, operations] of Object.entries<object>(paths)) {
      for (const method of Object.keys(operations))
        expect(known).toContain(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
    }
  });

  it('answers 401 without a valid key, unless it is public', async () => {
    const closed = routes.filter((route) => !isPublic(route));
    expect(closed.length).toBeGreaterThanOrEqual(5);
    const strangers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer gk_live_00000000_00000000000000000000000000000000000000' },
      { authorization: 'Basic YWRtaW46YWRtaW4=' },
      { cookie: 'session=admin', 'x-forwarded-for': '127.0.0.1', 'x-api-key': 'x' },
    ];
    for (const route of closed) {
      for (const headers of strangers) {
        const answer = await open(route, headers);
        expect({ route, headers, status: answer.status }).toEqual({ route, headers, status: 401 });
        if (route.method !== 'HEAD') expectProblem(answer, 'no_autenticado');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    }
  });

  it('answers 401 without a valid key whatever the body holds, unless it is public', async () => {
    const closed = routes.filter((route) => !isPublic(route) && ['POST', 'PATCH'].includes(route.method));
    const bodies: [type: string, body: string][] = [
      ['application/json', '{'],
      ['application/json', '\xff'],
      ['application/json', '['.repeat(10_000)],
      ['application/json', ' '.repeat(600_000)],
      ['text/plain', 'x'],
      ['application/x-www-form-urlencoded', 'a=%'],
    ];
    expect(closed.length).toBeGreaterThanOrEqual(5);
    for (const route of closed) {
      for (const [type, body] of bodies) {
        const answer = await open(route, { 'content-type': type }, body);
        expectProblem(answer, 'no_autenticado');
      }
    }
  });

  it('of the panel leads strangers to its entrance', async () => {
    // Behind a mail's link the secret in it is asked for.
    const entrance = /^\/panel(\/salir|\/assets\/:name|\/(entrar|correo(\/baja)?)\/:token)?$/;
    const pages = routes.filter(({ path }) => path.startsWith('/panel') && !entrance.test(path));
    expect(pages.length).toBeGreaterThan(30);
    for (const route of pages) {
      const { status, headers } = await open(route, {});
      expect({ route, status, to: headers.get('location') }).toEqual({ route, status: 303, to: '/panel' });
    }
  });

  it('of the console asks for a password, and of whoever changes something for more than the role of a reader', async () => {
    const pages = routes.filter(({ path }) => path.startsWith('/admin'));
    const changes = pages.filter(
      ({ method, path }) => !/^(GET|HEAD)$/.test(method) && path !== '/admin/buscar',
    );
    expect([pages.length > 90, changes.length > 40]).toEqual([true, true]);
    for (const route of pages)
      expect({ route, status: (await open(route, {})).status }).toEqual({ route, status: 401 });
    for (const route of changes)
      expect({ route, status: (await open(route, staff('leo'))).status }).toEqual({ route, status: 403 });
  });

  it('answers 401 without a valid key under other spellings of its path too', async () => {
    for (const path of ['/api/v1/guias/', '/api/v1/%67uias', '/api/v1/guias?x=1', '/api/v1/guias#x']) {
      expect({ path, status: (await test.request(path)).status }).toEqual({ path, status: 401 });
    }
  });

  describe('of the documentation and the monitoring', () => {
    const FILE = '/api/docs/swagger-ui.css';

    it.each([
      ...['/livez', '/readyz', '/metrics', '/api/docs', '/api/docs-json', '/api/docs-yaml'],
      ...['/api/docs/', '/api/docs-json/', '/api/docs-yaml/', '/api/docs?x=1', FILE],
    ])('answers 200 without a key: %s', async (path) => {
      expect((await test.request(path)).status).toBe(200);
    });

    it('answers HEAD with the length of the page, and the whole page to Range and If-Match', async () => {
      for (const headers of [{ range: 'bytes=99999999-' }, { 'if-match': '"x"' }] as Record<string, string>[])
        expect((await test.request(FILE, { headers })).status).toBe(200);
      const [head, whole] = [await test.request(FILE, { method: 'HEAD' }), await test.request(FILE)];
      expect([head.status, head.text]).toEqual([200, '']);
      expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(whole.text));
    });

    it('answers 304 to If-None-Match with the current ETag', async () => {
      const etag = (await test.request(FILE)).headers.get('etag')!;
      // `fetch` would add `Cache-Control: no-cache`, which asks for the whole file.
      const again = await exchange(test.url, requestHead('GET', FILE, { 'If-None-Match': etag }));
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers.get('content-type')).toBeNull();
    });

    it.each([
      '/api/docs/no.css',
      '/api/docs//swagger-ui.css',
      '/api/docs/x%00y',
      '/api/docs/%2e%2e/x',
      `/api/docs/${'x'.repeat(3_000)}`,
    ])('answers 404 where there is no such file: %.40s', async (path) => {
      expectProblem(await test.request(path), 'no_encontrado');
    });

    it('answers 405 to other methods', async () => {
      for (const path of ['/api/docs', FILE]) {
        const answer = await test.request(path, { method: 'POST' });
        expectProblem(answer, 'metodo_no_permitido');
        expect(answer.headers.get('allow')).toBe('GET, HEAD');
      }
    });

    it('leaves the log of Nest as it was', async () => {
      await test.request('/api/docs');
      new Logger('after').warn('still heard');
      expect(JSON.stringify(test.logs)).toContain('still heard');
    });
  });

  it('of the documentation is OpenAPI 3.1 as JSON or YAML, or a page that loads from this server alone', async () => {
    const before = test.logs.length;
    await test.request('/api/docs-json');
    const json = await test.request('/api/docs-json');
    expect(json.body.openapi).toMatch(/^3\.1\./);
    const yaml = await test.request('/api/docs-yaml');
    expect(yaml.text).toMatch(/^openapi: '?3\.1\./m);
    const page = await test.request('/api/docs');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(test.logs.slice(before).filter(({ level }) => level > 30)).toEqual([]);
    for (const { headers } of [json, yaml]) expect(headers.get('content-type')).toMatch(/; charset=utf-8$/);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) {
      expect(source).not.toMatch(/^(https?:)?\/\//);
      const { status, headers } = await test.request(new URL(source, `${test.url}/api/docs`).pathname);
      expect({ source, status }).toEqual({ source, status: 200 });
      if (!source.endsWith('.png')) expect(headers.get('content-type')).toMatch(/; charset=utf-8$/i);
    }
  });
});
