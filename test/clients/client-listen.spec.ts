import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verificarAviso } from '../../clients/typescript/src/index.js';
import { ListenCommand, type ListenProcess } from '../support/clients/listen-process.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { startHttpStub, type HttpStub, type StubAnswer, type StubRequest } from '../support/http-stub.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

describe('guias-client webhooks listen', () => {
  let test: TestApp;
  let tester: TestMerchant;
  let program: HttpStub;
  let command: ListenCommand;

  beforeAll(async () => {
    test = await createTestApp({ env: { ROLE: 'all' } });
    tester = await test.tester();
    program = await startHttpStub();
    command = new ListenCommand();
  });
  afterEach(() => command.end());
  afterAll(async () => {
    await program.close();
    await test.close();
    command.remove();
  });

  const listen = (to = program.url) =>
    command.run(['--key', tester.key, '--forward-to', to, '--url', test.url]);
  const shows = (listening: ListenProcess, text: string | RegExp) =>
    eventually(() => expect(listening.output()).toMatch(text));
  const secretIn = ({ output }: ListenProcess) => /whsec_\S+/.exec(output())![0];
  const create = async (): Promise<{ guia: string; id: string }> =>
    (await tester.post('/api/v1/guias', guiaBody({ lat: 14.6, lng: -90.5 }))).body;
  const cancel = (id: string) => tester.post(`/api/v1/guias/${id}/cancelar`, {});
  const got = () => program.requests.map(({ json }) => `${json.data.guia.guia} ${json.type}`);

  it('passes each webhook on once, signed and in order, over restarts', async () => {
    const first = listen();
    await shows(first, 'Termine con Ctrl+C');
    const guias = [await create(), await create()];
    await cancel(guias[0]!.id);
    await eventually(() => expect(program.requests).toHaveLength(3));
    await shows(first, `guia.cancelada ${guias[0]!.guia} 200`);
    expect(await first.end('SIGINT')).toBe(0);
    const secreto = secretIn(first);
    for (const { rawBody, headers } of program.requests)
      expect(await verificarAviso(rawBody, headers as never, secreto)).toMatchObject({
        type: expect.any(String),
      });

    // While nobody listens; an answer of any kind settles one.
    await cancel(guias[1]!.id);
    guias.push(await create());
    program.otherwise({ status: 500 });
    const second = listen();
    await shows(second, `guia.creada ${guias[2]!.guia} 500`);
    expect(secretIn(second)).toBe(secreto);
    expect(await second.end('SIGTERM')).toBe(0);
    const expected = guias.flatMap(({ guia }, n) => [
      `${guia} guia.creada`,
      ...(n < 2 ? [`${guia} guia.cancelada`] : []),
    ]);
    expect(got().toSorted()).toEqual(expected.toSorted());
    for (const { guia } of guias.slice(0, 2))
      expect(got().filter((line) => line.startsWith(guia))).toEqual([
        `${guia} guia.creada`,
        `${guia} guia.cancelada`,
      ]);
  });

  it('waits for a program that does not listen yet, and ends at once on a signal', async () => {
    const port = await freePort();
    const to = `http://127.0.0.1:${port}/`;
    const waiting = listen(to);
    await shows(waiting, 'Termine con Ctrl+C');
    const { guia } = await create();
    await shows(waiting, `Nada responde en ${to}`);
    expect(await waiting.end('SIGTERM')).toBe(0);
    program.reset();
    program.otherwise({});
    const again = listen();
    await shows(again, `guia.creada ${guia} 200`);
    expect(await again.end('SIGTERM')).toBe(0);
    expect(got()).toEqual([`${guia} guia.creada`]);
  });

  const toProgram = () => ['--forward-to', program.url];
  const withKey = () => ['--key', tester.key, '--url', test.url];

  it.each<[string, () => Promise<string[]> | string[], RegExp, Record<string, string>?]>([
    ['a wrong key', () => [...toProgram(), '--url', test.url, '--key', 'gk_test_x'], /clave vigente/],
    ['no key', () => [...toProgram(), '--url', test.url], /Falta `clave` \(GUIAS_CLAVE\)/],
    ['a key without a value', () => [...toProgram(), '--key', '--url', test.url], /^Falta el valor de --key/],
    ['an empty key', () => [...toProgram(), '--key=', '--url', test.url], /^Falta el valor de --key/],
    [
      'a key of an operator',
      async () => [...toProgram(), '--url', test.url, '--key', (await test.operator()).key],
      /requiere el alcance `webhooks`/,
    ],
    ['no service', () => [...toProgram(), '--key', 'x', '--url', 'http://127.0.0.1:1'], /no responde/],
    ['no URL', () => [...toProgram(), '--key', 'x'], /Falta `url` \(GUIAS_URL\)/],
    ['a wrong URL', () => [...toProgram(), '--key', 'x', '--url', 'localhost'], /GUIAS_URL/],
    ['another server', () => [...toProgram(), '--key', 'x', '--url', program.url], /no es del servicio/],
    ['no program', () => withKey(), /^Ponga en --forward-to/],
    ['no scheme', () => [...withKey(), '--forward-to', 'localhost:8080'], /^Ponga en --forward-to/],
    ['another scheme', () => [...withKey(), '--forward-to', 'ftp://x'], /^Ponga en --forward-to/],
    ['a password', () => [...withKey(), '--forward-to', 'http://a:b@127.0.0.1'], /^Ponga en --forward-to/],
    ['an unknown option', () => ['--puerto', '1'], /^--puerto no es una opción/],
    ['an unknown letter', () => ['-p', '1'], /^-p no es una opción/],
    ['a word too many', () => [...withKey(), ...toProgram(), 'ya'], /^Uso: /],
    [
      'no place for its file',
      () => [...withKey(), ...toProgram()],
      /^No se puede escribir .*XDG_STATE_HOME/,
      { XDG_STATE_HOME: '/dev/null' },
    ],
  ])('says in one line that there is %s, and exits with 1', async (_, args, line, env = {}) => {
    program.reset();
    program.otherwise({ body: '<html>' });
    const failed = command.run(await args(), env);
    expect(await failed.end()).toBe(1);
    expect(failed.output().trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });

  it.each(['--help', '-h'])('prints how it is used after %s, and exits with 0', async (option) => {
    const helped = command.run([option]);
    expect(await helped.end()).toBe(0);
    expect(helped.output()).toMatch(/^Uso: .*--forward-to.*\n$/);
  });

  describe('where a stub stands in place of the service', () => {
    let service: HttpStub;
    /** Answers for each key; after the last one there is nothing new. */
    const answers = new Map<string, StubAnswer[]>();

    beforeAll(async () => {
      service = await startHttpStub();
    });
    beforeEach(() => {
      service.reset();
      service.otherwise(
        (request) => answers.get(request.headers.authorization!.slice(7))!.shift() ?? nothingNew(request),
      );
      program.reset();
      program.otherwise({});
    });
    afterAll(() => service.close());

    /** A key to which the service gives these answers. */
    const serve = (...given: StubAnswer[]): string => {
      const key = `gk_test_${randomUUID()}`;
      answers.set(key, given);
      return key;
    };
    const aviso = (guia: string, id = `aviso-${guia}`) => ({
      ...{ id, tipo: 'guia.creada', creado_en: new Date().toISOString() },
      cuerpo: { type: 'guia.creada', data: { guia: { guia } } },
    });
    const page = (...guias: string[]): StubAnswer => ({
      json: {
        ok: true,
        avisos: guias.map((guia) => aviso(guia)),
        siguiente_cursor: `c${guias.at(-1) ?? ''}`,
      },
    });
    const cursorOf = ({ path }: StubRequest) => new URL(path, service.url).searchParams.get('cursor');
    const nothingNew = (request: StubRequest): StubAnswer => ({
      json: { ok: true, avisos: [], siguiente_cursor: cursorOf(request) ?? 'c' },
    });
    const refused = (status: number, codigo: string, headers = {}): StubAnswer => ({
      ...{ status, headers },
      json: { ok: false, codigo, detail: `Se rechaza: ${codigo}.` },
    });
    const listenTo = (key: string, to = program.url) =>
      command.run(['--key', key, '--forward-to', to, '--url', service.url]);
    const askedBy = (key: string) =>
      service.requests.filter(({ headers }) => headers.authorization === `Bearer ${key}`);

    it('goes on when the service is away for a while, says so once, and loses nothing', async () => {
      const faults: StubAnswer[] = [
        { fault: 'reset' },
        { fault: 'close-mid-body', json: { ok: true } },
        { body: '<html>Inicie sesión</html>', headers: { 'content-type': 'text/html' } },
        { status: 404, body: '404 page not found' },
        { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
        { status: 502, body: 'Bad Gateway' },
        refused(500, 'error_interno'),
        refused(503, 'no_disponible'),
        refused(429, 'demasiadas_solicitudes'),
      ];
      const all = faults.map((fault, n) => listenTo(serve(page(), fault, fault, fault, page(`n${n}`))));
      for (const [n, one] of all.entries()) {
        await shows(one, `guia.creada n${n} 200`);
        expect(one.output().match(/Se sigue intentando/g)).toHaveLength(1);
      }
      expect(program.requests).toHaveLength(faults.length);
    });

    it('ends in the sentence of the service when the key ends or is refused, with 1', async () => {
      const refusals = [
        refused(401, 'no_autenticado'),
        refused(403, 'sin_permiso'),
        refused(404, 'no_encontrado'),
        refused(400, 'validacion'),
      ];
      const all = refusals.map((refusal) => listenTo(serve(page(), refusal)));
      for (const [n, one] of all.entries()) {
        expect(await one.end()).toBe(1);
        const { detail } = refusals[n]!.json as { detail: string };
        expect(one.output().trim().split('\n').slice(2)).toEqual([detail]);
      }
    });

    it('asks again no earlier than Retry-After says', async () => {
      const busy = refused(429, 'demasiadas_solicitudes', { 'retry-after': '2' });
      const key = serve(page(), busy, busy, page('después'));
      await shows(listenTo(key), 'guia.creada después 200');
      const [, first, second, third] = askedBy(key).map(({ at }) => at.getTime());
      for (const gap of [second! - first!, third! - second!]) expect(gap).toBeGreaterThan(1_900);
    });

    it('asks from where it came to, and from the oldest where that is no longer known', async () => {
      const key = serve(page('uno'));
      const first = listenTo(key);
      await shows(first, 'guia.creada uno 200');
      await eventually(() => expect(askedBy(key).map(cursorOf)).toContain('cuno'));
      expect(await first.end('SIGINT')).toBe(0);
      service.reset();
      answers.set(key, [refused(400, 'cursor_invalido'), page('dos')]);
      const second = listenTo(key);
      await shows(second, 'guia.creada dos 200');
      expect(second.output()).toContain('se empieza por el más antiguo');
      expect(askedBy(key).map(cursorOf).slice(0, 2)).toEqual(['cuno', null]);
    });

    it('starts from the oldest with a file that is empty, cut, or holds something else', async () => {
      const contents = ['', '{', 'null', '7', '{"cursor":5,"passed":7}'];
      const files = new Set(readdirSync(command.state));
      const keys = contents.map(() => serve());
      for (const one of keys.map((key) => listenTo(key))) {
        await shows(one, 'Termine con Ctrl+C');
        await one.end('SIGINT');
      }
      const own = readdirSync(command.state).filter((name) => !files.has(name));
      expect(own).toHaveLength(contents.length);
      for (const [n, content] of contents.entries()) writeFileSync(join(command.state, own[n]!), content);
      service.reset();
      for (const one of keys.map((key) => listenTo(key))) await shows(one, 'Termine con Ctrl+C');
      for (const key of keys) expect(cursorOf(askedBy(key)[0]!)).toBeNull();
    });

    it('takes any answer of the program for one, follows none, and repeats what got none', async () => {
      const settling: StubAnswer[] = [
        { status: 302, headers: { location: `${program.url}/otra` } },
        ...[204, 400, 401, 404, 410, 429, 500, 503].map((status) => ({ status })),
        { fault: 'hang-mid-body', body: 'sin fin' },
      ];
      const guias = [...settling.keys()].map((n) => `p${n}`);
      program.answer(...settling, { fault: 'reset' }, { fault: 'reset' });
      const one = listenTo(serve(page(...guias, 'perdida')));
      await shows(one, /guia\.creada perdida 200/);
      expect(one.output()).toMatch(/Nada responde en \S+ \([A-Z_]+\): los avisos esperan/);
      for (const [n, { status = 200 }] of settling.entries())
        expect(one.output()).toContain(`guia.creada p${n} ${status}\n`);
      expect(got()).toEqual([...guias, ...Array(3).fill('perdida')].map((guia) => `${guia} guia.creada`));
      expect(new Set(program.requests.slice(-3).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    });

    it('ends within moments while the program hangs, and then passes the same one on again', async () => {
      program.answer({ fault: 'hang' });
      const key = serve(page('lenta'));
      const first = listenTo(key);
      await program.received(1);
      expect(await first.end('SIGINT')).toBe(0);
      answers.set(key, [page('lenta')]);
      const second = listenTo(key);
      await shows(second, 'guia.creada lenta 200');
      expect(new Set(program.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    });

    it('passes all on to each of two that listen with one key', async () => {
      const guias = Array.from({ length: 60 }, (_, n) => `g${n}`);
      const other = await startHttpStub();
      const key = serve(page(), page());
      const both = [program.url, other.url].map((to) => listenTo(key, to));
      for (const one of both) await shows(one, 'Termine con Ctrl+C');
      service.otherwise((request) => (cursorOf(request) === 'c' ? page(...guias) : nothingNew(request)));
      for (const one of both) await shows(one, 'guia.creada g59 200');
      for (const one of both) expect(await one.end('SIGTERM')).toBe(0);
      for (const { requests } of [program, other])
        expect(requests.map(({ json }) => json.data.guia.guia)).toEqual(guias);
      await other.close();
    });
  });
});
