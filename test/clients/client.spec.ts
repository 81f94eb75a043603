import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import {
  AvisoInvalido,
  exigir,
  Guias,
  GuiasError,
  verificarAviso,
  type NuevaGuia,
} from '../../clients/typescript/src/index.js';
import { eventually } from '../support/eventually.js';
import { startHttpStub, type HttpStub, type StubAnswer, type StubReply } from '../support/http-stub.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';
import { ALLOW_PRIVATE, startReceiver, type Receiver } from '../support/webhooks.js';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'clients/typescript');
const body = (over: Partial<NuevaGuia> = {}): NuevaGuia => ({
  ...(guiaBody({ lat: 14.6407, lng: -90.5133 }) as unknown as NuevaGuia),
  ...over,
});

describe('the TypeScript client', () => {
  let test: TestApp;
  let tester: TestMerchant;
  let receiver: Receiver;

  beforeAll(async () => {
    test = await createTestApp({ env: ALLOW_PRIVATE });
    tester = await test.tester();
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await test.close();
    await receiver.close();
  });

  const client = (options: Partial<ConstructorParameters<typeof Guias>[0]> = {}) =>
    new Guias({ clave: tester.key, url: test.url, ...options });

  /** A `fetch` whose first answers are lost, or are these; the requests that it was asked for. */
  function flaky(...answers: ('lost before' | 'lost after' | Response)[]) {
    const requests: Request[] = [];
    const send: typeof fetch = async (request, init) => {
      requests.push((request as Request).clone());
      const answer = answers.shift();
      if (answer instanceof Response) return answer;
      if (answer === 'lost before') throw new TypeError('fetch failed');
      const real = await fetch(request, init);
      if (answer === 'lost after') throw new TypeError('fetch failed');
      return real;
    };
    return { requests, fetch: send as never };
  }
  const busy = (status: number, headers: Record<string, string> = {}) =>
    new Response('{}', { status, headers });

  it('creates, reads, changes, follows and cancels a guide', async () => {
    const guias = client();
    const { id, guia } = await guias.crear(body({ external_ref: 'pedido-1' }));
    expect(await guias.crear(body({ external_ref: 'pedido-1' }))).toMatchObject({ id, duplicada: true });
    expect((await guias.editar(guia, { notas: 'Timbre roto' })).notas).toBe('Timbre roto');
    expect((await guias.ver(id)).notas).toBe('Timbre roto');
    expect((await guias.cancelar(id, 'Sin existencias')).estado).toBe('cancelado');
    const tipos: string[] = [];
    for await (const { tipo } of guias.eventos(id)) tipos.push(tipo);
    expect(tipos).toEqual(['guia.creada', 'guia.actualizada', 'guia.cancelada']);
  });

  it('lists all pages, each guide once', async () => {
    const own = new Guias({ clave: (await test.tester()).key, url: `${test.url}/` });
    const made = [];
    for (let i = 0; i < 5; i++) made.push((await own.crear(body())).id);
    await own.cancelar(made[0]!);
    const walk = async (filtros: Parameters<Guias['listar']>[0]) => {
      const ids: string[] = [];
      for await (const { id } of own.listar(filtros)) ids.push(id);
      return ids;
    };
    expect(await walk({ limit: 2 })).toEqual(made.toReversed());
    expect(await walk({ estado: ['aceptado', 'en_ruta'], limit: 3 })).toEqual(made.slice(1).reverse());
  });

  it('throws an error answer with its code, its fields and the id of the request', async () => {
    const error = await client()
      .crear(body({ telefono: '1', municipio: '' }))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GuiasError);
    expect(error).toMatchObject({
      ...{ name: 'GuiasError', status: 400, codigo: 'validacion' },
      message: expect.stringMatching(/^2 campos no son válidos\. telefono: /),
      errores: [{ campo: 'telefono' }, { campo: 'municipio', codigo: 'requerido' }],
      solicitud: expect.stringMatching(/.+/),
    });
    const wrong = client({ clave: 'gk_live_x' }).ver('x');
    await expect(wrong).rejects.toMatchObject({ status: 401, codigo: 'no_autenticado' });
    const proxy = client({ ...flaky(new Response('<html>', { status: 400 })) }).ver('x');
    await expect(proxy).rejects.toMatchObject({ status: 400, codigo: 'desconocido', message: 'HTTP 400' });
    const other = Response.json({ codigo: 7, detail: {}, errores: 'no' }, { status: 400 });
    const another = client({ ...flaky(other) }).ver('x');
    await expect(another).rejects.toMatchObject({ codigo: 'desconocido', message: 'HTTP 400', errores: [] });
  });

  it('says of a create that it was made before, cancelled since, or sent otherwise', async () => {
    const guias = client();
    const first = await guias.crear(body({ external_ref: 'pedido-3' }));
    expect(first).toMatchObject({ advertencias: [], campos_distintos: [] });
    const other = body({ external_ref: 'pedido-3', telefono: '5555 4321', nombre: 'Otra' });
    expect((await guias.crear(other)).campos_distintos.toSorted()).toEqual(['nombre', 'telefono']);
    await guias.cancelar(first.id);
    expect(await guias.crear(body({ external_ref: 'pedido-3' }))).toMatchObject({
      ...{ duplicada: true, estado: 'cancelado', advertencias: ['cancelada'] },
    });
  });

  it.each([` ${'KEY'}\n`, 'KEY'])(
    'takes its key and its URL with blanks and slashes around: %j',
    async (clave) => {
      const answers = flaky();
      const own = client({ ...answers, clave: clave.replace('KEY', tester.key), url: ` ${test.url}//\n` });
      await own.pruebas.mensajes().next();
      expect(answers.requests[0]!.url).toBe(`${test.url}/api/v1/pruebas/mensajes`);
    },
  );

  it('says that nothing answered, and which option is missing', async () => {
    const alone = client({ reintentos: 0, fetch: flaky('lost before').fetch });
    await expect(alone.ver('x')).rejects.toMatchObject({ status: 0, codigo: 'sin_respuesta' });
    expect(() => client({ url: undefined })).toThrow('Falta `url` (GUIAS_URL)');
    expect(() => client({ url: 'localhost:3000' })).toThrow('`url` (GUIAS_URL) empieza con https://');
    expect(() => client({ clave: ' ' })).toThrow('Falta `clave` (GUIAS_CLAVE)');
  });

  describe('where something else answers', () => {
    let stub: HttpStub;

    beforeAll(async () => {
      stub = await startHttpStub();
    });
    beforeEach(() => stub.reset());
    afterAll(() => stub.close());

    const ask = (answer: StubReply, options: Partial<ConstructorParameters<typeof Guias>[0]> = {}) => {
      stub.otherwise(answer);
      const guias = client({ url: stub.url, reintentos: 1, limiteMs: 1_000, ...options });
      return guias.crear(body()).catch((error: unknown) => error);
    };
    const json = (text: string) => ({ body: text, headers: { 'content-type': 'application/json' } });

    it.each<[string, StubAnswer, Partial<GuiasError>, number]>([
      ['no answer', { fault: 'hang' }, { status: 0, codigo: 'sin_respuesta' }, 2],
      [
        'an answer that stops',
        { json: {}, fault: 'hang-mid-body' },
        { status: 0, codigo: 'sin_respuesta' },
        2,
      ],
      ['a cut answer', { json: {}, fault: 'close-mid-body' }, { status: 0, codigo: 'sin_respuesta' }, 2],
      ['a cut error', { status: 400, json: {}, fault: 'close-mid-body' }, { codigo: 'sin_respuesta' }, 2],
      ['cut JSON', json('{"ok":true,'), { status: 0, codigo: 'sin_respuesta' }, 2],
      ['an empty success', { status: 200 }, { status: 0, codigo: 'sin_respuesta' }, 2],
      ['a page', { body: '<html>' }, { status: 200, codigo: 'desconocido' }, 2],
      ['another JSON', json('{"guias":[]}'), { status: 200, codigo: 'desconocido' }, 2],
      ['null', json('null'), { status: 200, codigo: 'desconocido' }, 2],
      ...[301, 302, 303, 307, 308].map(
        (status): [string, StubAnswer, Partial<GuiasError>, number] =>
          [
            ...[`a redirection with ${status}`, { status, headers: { location: '/otra' } }],
            ...[{ status, codigo: 'redireccion' }, 1],
          ] as never,
      ),
    ])('throws a GuiasError for %s', async (_, answer, expected, requests) => {
      const error = await ask(answer);
      expect(error).toBeInstanceOf(GuiasError);
      expect(error).toMatchObject(expected);
      if (expected.codigo === 'redireccion') expect((error as Error).message).toContain(`${stub.url}/otra`);
      expect(stub.requests).toHaveLength(requests);
    });

    it('reads a date in Retry-After', async () => {
      const at = (ms: number) => ({ 'retry-after': new Date(Date.now() + ms).toUTCString() });
      await ask({ status: 429, headers: at(86_400_000) });
      expect(stub.requests).toHaveLength(1);
      await ask({ status: 429, headers: at(-86_400_000) });
      expect(stub.requests).toHaveLength(3);
    });

    it('ends each of many calls at its limit, while memory is freed', async () => {
      stub.otherwise({ fault: 'hang' });
      const { outputFiles } = buildSync({
        stdin: {
          contents: `
            import { Guias } from './index.ts';
            const timer = setInterval(gc, 20);
            const guias = new Guias({ clave: 'x', url: '${stub.url}', reintentos: 0, limiteMs: 500 });
            const calls = Array.from({ length: 40 }, () => guias.ver('x').catch(({ codigo }) => codigo));
            console.log([...new Set(await Promise.all(calls))].join());
            clearInterval(timer);`,
          resolveDir: join(CLIENT, 'src'),
        },
        ...{ bundle: true, write: false, format: 'esm', platform: 'node' },
      });
      const args = ['--expose-gc', '--input-type=module', '--eval', outputFiles[0]!.text];
      // The process ends by itself only if no connection is left open.
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
      expect(stdout).toBe('sin_respuesta\n');
    });
  });

  describe('repeats', () => {
    it.each([{ external_ref: 'pedido-2' }, {}])(
      'a create whose answer was lost, and makes one guide: %j',
      async (over) => {
        const own = await test.tester();
        const answers = flaky('lost before', 'lost after', busy(503), 'lost after');
        const { id, duplicada } = await new Guias({
          ...{ clave: own.key, url: test.url },
          ...answers,
        }).crear(body(over));
        expect(answers.requests).toHaveLength(5);
        expect(duplicada).toBe(true);
        const { guias } = (await own.get('/api/v1/guias')).body;
        expect(guias.map((guia: { id: string }) => guia.id)).toEqual([id]);
      },
    );

    it('a request after 429, as late as Retry-After says', async () => {
      const answers = flaky(busy(429, { 'retry-after': '1' }));
      const began = performance.now();
      await client(answers).pruebas.mensajes().next();
      expect(performance.now() - began).toBeGreaterThanOrEqual(990);
      expect(answers.requests).toHaveLength(2);
    });

    it('no request that might have been made, and whose repeat would do more', async () => {
      const { id } = await client().crear(body());
      for (const answer of ['lost after', busy(503)] as const) {
        const answers = flaky(answer);
        const move = client(answers).pruebas.mover(id, { estado: 'extraviado' });
        await expect(move).rejects.toThrow();
        expect(answers.requests).toHaveLength(1);
      }
    });

    it('a request so often, and no longer than a minute', async () => {
      const often = flaky(...Array.from({ length: 9 }, () => busy(503)));
      await expect(client({ ...often, reintentos: 2 }).ver('x')).rejects.toMatchObject({ status: 503 });
      expect(often.requests).toHaveLength(3);
      const late = flaky(busy(429, { 'retry-after': '61' }));
      await expect(client(late).ver('x')).rejects.toMatchObject({ status: 429 });
      expect(late.requests).toHaveLength(1);
    });

    it('no request that the caller aborted, not even while it waits', async () => {
      const answers = flaky(busy(429, { 'retry-after': '60' }));
      const controller = new AbortController();
      const { api } = client(answers);
      const answer = api.GET('/api/v1/guias', { signal: controller.signal });
      await eventually(() => expect(answers.requests).toHaveLength(1));
      controller.abort(new Error('ya no'));
      await expect(answer).rejects.toThrow('ya no');
    });
  });

  it('simulates a guide, and verifies the webhooks of each step', async () => {
    const guias = client();
    const { secreto } = exigir(
      await guias.api.POST('/api/v1/webhooks', { body: { url: `${receiver.url}/cliente` } }),
    );
    const { id } = await guias.crear(body());
    const { pasos } = await guias.pruebas.simular(id, 'intento_y_entrega', { cada_segundos: 0 });
    const avisos = await eventually(async () => {
      const requests = receiver.at('/cliente');
      expect(requests).toHaveLength(1 + pasos.length);
      return Promise.all(
        requests.map(({ rawBody, headers }) => verificarAviso(rawBody, headers as never, secreto)),
      );
    });
    const estados = avisos.flatMap((aviso) => (aviso.type === 'guia.estado_cambiado' ? [aviso.data] : []));
    expect(estados.sort((a, b) => a.secuencia - b.secuencia).map(({ guia }) => guia.estado)).toEqual(
      pasos.map(({ paso }) => paso),
    );
    await eventually(async () => expect((await guias.pruebas.simulacion(id)).estado).toBe('terminada'));
  });

  describe('verificarAviso', () => {
    const secreto = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    const texto = '{"type":"webhook.prueba","data":{"texto":"Ñandú 📦"}}';
    const signed = (text = texto, at = new Date(), key = secreto) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(key).sign('msg_1', at, text),
    });

    it('takes what the reference implementation signed, as text or bytes, with headers of any kind', async () => {
      for (const content of [texto, Buffer.from(texto), new TextEncoder().encode(texto)])
        for (const headers of [
          ...[signed(), new Headers(signed()), new Map(Object.entries(signed())), Object.entries(signed())],
          mapValues(signed(), (name) => name.toUpperCase()),
          mapValues(signed(), (name) => name.replace(/\b\w/g, (letter) => letter.toUpperCase())),
          mapValues(
            signed(),
            (name) => name,
            (value) => [value],
          ),
        ])
          expect(await verificarAviso(content, headers, secreto)).toEqual(JSON.parse(texto));
    });

    const mapValues = (
      headers: Record<string, string>,
      nameOf: (name: string) => string,
      valueOf: (value: string) => string | string[] = (value) => value,
    ) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [nameOf(name), valueOf(value)]));

    it('takes one of several signatures, as while a secret is rotated', async () => {
      const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
      const headers = signed();
      headers['webhook-signature'] =
        `v1a,xyz ${signed(texto, new Date(), other)['webhook-signature']} ${headers['webhook-signature']}`;
      expect(await verificarAviso(texto, headers, secreto)).toEqual(JSON.parse(texto));
    });

    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    it.each([
      ['another body', `${texto} `, signed()],
      ['another secret', texto, signed(texto, new Date(), `whsec_${Buffer.alloc(24).toString('base64')}`)],
      ['an old webhook', texto, signed(texto, ago(3_600))],
      ['a webhook of the future', texto, signed(texto, ago(-3_600))],
      ['no headers', texto, {}],
      ['no signature', texto, { ...signed(), 'webhook-signature': '' }],
      ['no time', texto, { ...signed(), 'webhook-timestamp': 'ayer' }],
      ['another id', texto, { ...signed(), 'webhook-id': 'msg_2' }],
      ['a signature that is no base64', texto, { ...signed(), 'webhook-signature': 'v1,%%%' }],
    ])('refuses %s', async (_, content, headers) => {
      await expect(verificarAviso(content, headers, secreto)).rejects.toThrow(AvisoInvalido);
    });

    it.each(['secreto', 'whsec_', ' ', undefined, 'whsec_%%%', 'whsec_AAAA'])(
      'says that there is no secret, before all else: %j',
      async (none) => {
        for (const headers of [signed(), {}])
          await expect(verificarAviso(texto, headers, none)).rejects.toThrow(/^Falta `secreto`/);
      },
    );

    it.each([JSON.parse(texto), undefined, null, [1]])('says that a body was parsed: %j', async (parsed) => {
      const verified = verificarAviso(parsed, signed(), secreto);
      await expect(verified).rejects.toThrow(TypeError);
      await expect(verified).rejects.toThrow('El cuerpo no es texto ni bytes');
    });

    it('takes a secret with blanks around it', async () => {
      expect(await verificarAviso(texto, signed(), ` ${secreto}\n`)).toEqual(JSON.parse(texto));
    });
  });
});

describe('the files of the TypeScript client', () => {
  it('have the types that `npm run openapi:client` makes of openapi.json', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guias-client-'));
    try {
      const made = join(folder, 'api.ts');
      const { scripts } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
      const [program, ...args] = scripts.generate.replace('src/api.ts', made).split(' ');
      execFileSync(join(ROOT, 'node_modules/.bin', program), args, { cwd: CLIENT, stdio: 'pipe' });
      expect(readFileSync(made, 'utf8') === readFileSync(join(CLIENT, 'src/api.ts'), 'utf8')).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('name the same types to compilers that read no `exports` (node10)', () => {
    const { main, types, exports } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
    expect({ types, default: main }).toEqual(exports['.']);
  });

  it('need one package', () => {
    const { dependencies } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(dependencies).toEqual({ 'openapi-fetch': devDependencies['openapi-fetch'] });
  });
});
