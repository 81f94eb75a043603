import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { exigir, Guias, verificarAviso, type NuevaGuia } from '../../clients/typescript/src/index.js';
import { eventually } from '../support/eventually.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
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
    test = await createTestApp({ env: { ROLE: 'all', ...ALLOW_PRIVATE } });
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

  describe('where something else answers', () => {
    let stub: HttpStub;

    beforeAll(async () => {
      stub = await startHttpStub();
    });
    beforeEach(() => stub.reset());
    afterAll(() => stub.close());

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
    it('a request after 429, as late as Retry-After says', async () => {
      const answers = flaky(busy(429, { 'retry-after': '1' }));
      const began = performance.now();
      await client(answers).pruebas.mensajes().next();
      expect(performance.now() - began).toBeGreaterThanOrEqual(990);
      expect(answers.requests).toHaveLength(2);
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
