import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import {
  ClientProcess,
  LANGUAGES,
  missingFor,
  type Language,
  type Outcome,
} from '../support/clients/client-process.js';
import { startHttpStub, type StubAnswer, type StubRequest } from '../support/http-stub.js';
import { unlessMissing } from '../support/skipping.js';
import { guiaBody, type TestMerchant } from '../support/test-app.js';
import { opened, useTestApp } from '../support/use.js';
import { ALLOW_PRIVATE } from '../support/webhooks.js';

const CLIENTS = resolve(import.meta.dirname, '../../clients');

const body = (over: object = {}) => guiaBody({ lat: 14.6407, lng: -90.5133, ...over });

const test = useTestApp({ env: { ROLE: 'all', MESSAGES_PER_PHONE_PER_DAY: '1000', ...ALLOW_PRIVATE } });
const proxy = opened(startHttpStub);

for (const language of Object.keys(LANGUAGES) as Language[])
  unlessMissing(describe, missingFor(language))(`the client in ${language}`, () => {
    let client: ClientProcess;
    let tester: TestMerchant;

    beforeAll(async () => {
      client = new ClientProcess(language);
      tester = await test.tester();
    });
    beforeEach(() => {
      proxy.reset();
      proxy.otherwise({});
    });
    afterAll(() => client.end());

    const to = (by: TestMerchant, over: object = {}) => ({ url: test.url, clave: by.key, ...over });
    const ask = async (metodo: string, args: unknown[] = [], opciones = {}, by = tester) => {
      const { valor, error } = await client.call(to(by), metodo, args, opciones);
      if (error) throw new Error(JSON.stringify(error));
      return valor;
    };
    const textOf = ({ bytes }: { bytes: string }) => Buffer.from(bytes, 'base64').toString('latin1');

    it('does all that a merchant does with a guide', async () => {
      const { guia, id, advertencias, campos_distintos } = await ask('crear', [body({ external_ref: 'a' })]);
      expect({ advertencias, campos_distintos }).toEqual({ advertencias: [], campos_distintos: [] });
      expect(await ask('crear', [body({ external_ref: 'a', notas: 'otra' })])).toMatchObject({
        ...{ id, duplicada: true, campos_distintos: ['notas'] },
      });
      expect(await ask('ver', [guia])).toMatchObject({ id, cod_amount: 0 });
      expect(await ask('editar', [guia, { notas: 'Timbre roto, «Ñandú»' }])).toMatchObject({
        notas: 'Timbre roto, «Ñandú»',
      });
      expect(textOf(await ask('etiqueta', [guia], { formato: 'zpl' }))).toMatch(/^\^XA/);
      expect(textOf(await ask('etiquetas', [[guia]], { tamano: 'a4' }))).toMatch(/^%PDF/);
      expect((await ask('eventos', [guia])).map(({ tipo }: { tipo: string }) => tipo)).toEqual([
        ...['guia.creada', 'guia.actualizada'],
      ]);
      expect((await ask('lugares', [], { pais: 'GT' })).departamentos.length).toBeGreaterThan(20);
      const waits = await ask('crear', [guiaBody()]);
      expect(await ask('pedirUbicacion', [waits.guia])).toMatchObject({ guia: waits.guia });
      expect(await ask('cancelar', [guia, 'Sin existencias'])).toMatchObject({ estado: 'cancelado' });
      expect((await ask('crear', [body({ external_ref: 'a' })])).advertencias).toEqual(['cancelada']);
      expect(await ask('cancelar', [waits.guia])).toMatchObject({ estado: 'cancelado' });
    });

    it('creates many, and lists all of them, each once', async () => {
      const own = await test.tester();
      const lote = ['x', 'y', 'z'].map((external_ref) => body({ external_ref }));
      expect(await ask('crearLote', [lote], {}, own)).toMatchObject({ creadas: 3, rechazadas: 0 });
      const csv =
        'external_ref,telefono,departamento,municipio,recogida.lat,recogida.lng\nw,55551234,Petén,Flores,14.6,-90.5\n';
      expect(await ask('crearLote', [csv], {}, own)).toMatchObject({ creadas: 1 });
      const refs = async (filtros: object) =>
        (await ask('listar', [], filtros, own)).map(
          ({ external_ref }: { external_ref: string }) => external_ref,
        );
      expect((await refs({ limit: 2, estado: ['aceptado', 'en_ruta'] })).toSorted()).toEqual([
        'w',
        'x',
        'y',
        'z',
      ]);
      expect(await refs({ direccion_confirmada: false })).toEqual(['w']);
      expect(await refs({ estado: 'entregado' })).toEqual([]);
    });

    it('follows cash, webhooks and simulations', async () => {
      const { id } = await ask('crear', [body({ cod_amount: 349.5 })]);
      const { webhook, secreto } = await ask('webhooks.crear', [{ url: `${proxy.url}/avisos` }]);
      expect(secreto).toMatch(/^whsec_/);
      expect(await ask('pruebas.mover', [id, { estado: 'en_camino_a_recoger' }])).toMatchObject({
        aplicado: true,
      });
      const { id: other } = await ask('crear', [body()]);
      expect(await ask('pruebas.simular', [other, 'entrega'], { cada_segundos: 0 })).toMatchObject({
        guia: expect.any(String),
      });
      expect(await ask('pruebas.simulacion', [other])).toMatchObject({ guion: 'entrega' });
      expect(await ask('pruebas.mensajes')).toEqual(expect.any(Array));
      expect(await ask('cobros', [], { estado: 'por_cobrar' })).toMatchObject([{ id, cod_amount: 349.5 }]);
      expect(await ask('resumenDeCobros')).toMatchObject({ ok: true, moneda: 'GTQ' });
      expect(await ask('liquidaciones')).toEqual([]);
      for (const metodo of ['liquidacion', 'cobrosDeLiquidacion'])
        await expect(ask(metodo, [id])).rejects.toThrow('no_encontrado');
      expect((await ask('webhooks.listar')).map((one: { id: string }) => one.id)).toEqual([webhook.id]);
      expect(await ask('webhooks.ver', [webhook.id])).toMatchObject({ id: webhook.id });
      expect(await ask('webhooks.editar', [webhook.id, { eventos: ['guia.creada'] }])).toMatchObject({
        eventos: ['guia.creada'],
      });
      const entrega = await ask('webhooks.probar', [webhook.id]);
      expect(await ask('webhooks.entrega', [webhook.id, entrega.id])).toMatchObject({ id: entrega.id });
      expect((await ask('webhooks.entregas', [webhook.id], { limit: 1 })).length).toBeGreaterThan(0);
      expect(await ask('webhooks.reenviar', [webhook.id, { entrega: entrega.id }])).toMatchObject({
        reenviadas: 1,
      });
      expect((await ask('webhooks.rotar', [webhook.id])).secreto).not.toBe(secreto);
      expect(await ask('webhooks.eliminar', [webhook.id])).toMatchObject({ ok: true });
      const { siguiente_cursor } = await ask('pedir', ['GET', '/api/v1/webhooks/avisos']);
      expect(siguiente_cursor).toEqual(expect.any(String));
    });

    it.each(['Accept', 'accept', 'ACCEPT'])(
      'asks for what a header of the program names: %s',
      async (name) => {
        const options = { filtros: { limit: 1 }, encabezados: { [name]: 'text/csv' } };
        const csv = await ask('pedir', ['GET', '/api/v1/guias'], {
          ...options,
          ...(language === 'typescript' && { parseAs: 'text' }),
        });
        expect(typeof csv === 'string' ? csv : textOf(csv)).toMatch(/^\W*guia,id,estado,/);
      },
    );

    it('says of an error what it is, which fields, and which request', async () => {
      const { error } = await client.call(to(tester), 'crear', [body({ telefono: '1', municipio: '' })]);
      expect(error).toMatchObject({
        ...{ tipo: 'GuiasError', status: 400, codigo: 'validacion' },
        mensaje: expect.stringMatching(/^2 campos no son válidos\. telefono: .+/),
        errores: [{ campo: 'telefono' }, { campo: 'municipio', codigo: 'requerido' }],
        solicitud: expect.stringMatching(/.+/),
      });
      const wrong = await client.call({ url: test.url, clave: 'gk_live_x' }, 'ver', ['x']);
      expect(wrong.error).toMatchObject({ status: 401, codigo: 'no_autenticado' });
      const blanks = { url: ` ${test.url}//\n`, clave: ` ${tester.key}\n` };
      expect((await client.call(blanks, 'pruebas.mensajes')).error).toBeUndefined();
    });

    it.each([
      ['url', { url: null }, 'Falta `url` (GUIAS_URL)'],
      ['url', { url: 'localhost:3000' }, '`url` (GUIAS_URL) empieza con https://'],
      ...['/api/v1', '/api/v1/', '/api'].map((path): [string, object, string] => [
        'url',
        { url: `https://guias.example${path}` },
        '`url` (GUIAS_URL) va sin `/api/v1`',
      ]),
      ['clave', { clave: ' ' }, 'Falta `clave` (GUIAS_CLAVE)'],
      ['clave', { clave: 'gk_test_…' }, '`clave` (GUIAS_CLAVE) tiene caracteres'],
      ['clave', { clave: 'gk_test_a b' }, '`clave` (GUIAS_CLAVE) tiene caracteres'],
      ['clave', { clave: 'gk_test_a\nX: b' }, '`clave` (GUIAS_CLAVE) tiene caracteres'],
    ])('names a wrong %s: %j', async (_name, over, mensaje) => {
      const { error } = await client.call(to(tester, over), 'ver', ['x']);
      expect(error).toMatchObject({ tipo: 'otro', mensaje: expect.stringContaining(mensaje) });
    });

    it('takes no empty id', async () => {
      expect((await client.call(to(tester), 'cancelar', [' '])).error?.mensaje).toContain(
        'Falta el id o número',
      );
    });

    it('says that a guide number is a text where it is given as a number', async () => {
      const { error } = await client.call(to(tester), 'ver', [931637862414]);
      // PHP's own error, of a program with strict types.
      expect(error?.mensaje).toMatch(language === 'php' ? /\$guia\) must be of type string/ : /es un texto/);
    });

    it('sends no number that is none', async () => {
      proxy.otherwise({ json: { ok: true } });
      const { error } = await client.call(to(tester, { url: proxy.url }), 'crear', [
        body({ cod_amount: 'NaN' }),
      ]);
      expect(error).toMatchObject({ tipo: 'otro', mensaje: expect.stringContaining('no es un número') });
      expect(proxy.requests).toHaveLength(0);
    });

    it('reads compressed answers', async () => {
      const text = JSON.stringify({ ok: true, guia: { guia: '1' } });
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      proxy.answer({ body: gzipSync(text), headers }, { body: gzipSync(text).subarray(0, 20), headers });
      const options = to(tester, { url: proxy.url, reintentos: 0 });
      expect((await client.call(options, 'ver', ['1'])).valor).toEqual({ guia: '1' });
      expect((await client.call(options, 'ver', ['1'])).error).toMatchObject({ codigo: 'sin_respuesta' });
    });

    const json = (text: string) => ({ body: text, headers: { 'content-type': 'application/json' } });
    it.each<[string, StubAnswer, NonNullable<Outcome['error']> | object, number]>([
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
      [
        'a page with an error',
        { status: 400, body: '<html>' },
        { status: 400, codigo: 'desconocido', mensaje: 'HTTP 400' },
        1,
      ],
      [
        'a redirection',
        { status: 301, headers: { location: 'https://otra.example/' } },
        { status: 301, codigo: 'redireccion', mensaje: expect.stringContaining('https://otra.example/') },
        1,
      ],
      ...[302, 303, 307, 308].map((status): [string, StubAnswer, object, number] => [
        `a redirection with ${status} to another path`,
        { status, headers: { location: '/otra' } },
        { status, codigo: 'redireccion', mensaje: expect.stringMatching(/ http:\/\/127.0.0.1:\d+\/otra\. /) },
        1,
      ]),
      ['a redirection to nowhere', { status: 302 }, { status: 302, codigo: 'desconocido' }, 1],
      ['503', { status: 503, json: {} }, { status: 503 }, 2],
      ['500', { status: 500, json: {} }, { status: 500 }, 1],
      [
        '429 that asks for more than a minute',
        { status: 429, headers: { 'retry-after': '61' }, json: {} },
        { status: 429 },
        1,
      ],
      [
        '429 until a date long ago',
        { status: 429, headers: { 'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT' }, json: {} },
        { status: 429 },
        2,
      ],
      ...['tomorrow', '-5', '1.5', 'Fri, 01 Jan 99999 00:00:00 GMT', 'ñ'].map(
        (value): [string, StubAnswer, object, number] => [
          `429 until something else: ${value}`,
          { status: 429, headers: { 'retry-after': value }, json: {} },
          { status: 429 },
          value.includes('99999') ? expect.any(Number) : 2,
        ],
      ),
      [
        '429 until a date far away',
        { status: 429, headers: { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, json: {} },
        { status: 429 },
        1,
      ],
    ])('takes %s as what it is', async (_, answer, expected, requests) => {
      proxy.otherwise(answer);
      const options = to(tester, { url: proxy.url, reintentos: 1, limiteMs: 1_000 });
      const { error } = await client.call(options, 'crear', [body()]);
      expect(error).toMatchObject({ tipo: 'GuiasError', ...expected });
      expect(proxy.requests.length).toEqual(requests);
    });

    it('makes one guide of each create, whatever becomes of its answers', async () => {
      const own = await test.tester();
      const forward = async ({ method, path, headers, rawBody }: StubRequest): Promise<StubAnswer> => {
        const { host: _, connection: __, 'content-length': ___, ...rest } = headers as Record<string, string>;
        const answer = await fetch(test.url + path, { method, headers: rest, body: rawBody as never });
        return {
          status: answer.status,
          headers: { 'content-type': 'application/json' },
          body: await answer.text(),
        };
      };
      const after = async (request: StubRequest) => ({
        ...(await forward(request)),
        fault: 'close-mid-body' as const,
      });
      const guias: string[] = [];
      for (const [n, faults] of [
        [{ fault: 'reset' as const }],
        [after],
        [{ status: 503 }, after, { status: 502 }, after],
        [{ status: 429, headers: { 'retry-after': '0' } }],
      ].entries()) {
        proxy.answer(...faults);
        proxy.otherwise(forward);
        const { valor } = await client.call(to(own, { url: proxy.url }), 'crear', [
          body(n % 2 ? {} : { external_ref: `r${n}` }),
        ]);
        guias.push(valor.id);
      }
      const listed = (await own.get('/api/v1/guias')).body.guias.map(({ id }: { id: string }) => id);
      expect(listed.toSorted()).toEqual(guias.toSorted());
    });

    it('repeats nothing that would be done twice', async () => {
      for (const [metodo, args] of [
        ['webhooks.crear', [{ url: 'https://tienda.example/' }]],
        ['pruebas.mover', ['1', { estado: 'recogido' }]],
        ['crearLote', [[body({ external_ref: 'a' }), body()]]],
        ['crearLote', [[body({ external_ref: ' \u00a0\ufeff' })]]],
        ['crearLote', ['telefono\n5']],
        ['pedirUbicacion', ['1']],
      ] as const) {
        proxy.reset();
        proxy.otherwise({ status: 503, json: {} });
        const { error } = await client.call(to(tester, { url: proxy.url, reintentos: 1 }), metodo, [...args]);
        expect([metodo, error?.status, proxy.requests.length]).toEqual([metodo, 503, 1]);
      }
    });

    describe('verifies webhooks:', () => {
      const secreto = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
      const texto = '{"type":"webhook.prueba","data":{"texto":"Ñandú 📦"}}';
      const signed = (text = texto, at = new Date(), key = secreto): Record<string, string | string[]> => ({
        'Webhook-Id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'WEBHOOK-SIGNATURE': new Webhook(key).sign('msg_1', at, text),
      });
      const verify = (...args: unknown[]) => client.call({}, 'verificarAviso', args);

      it('takes what the reference implementation signed', async () => {
        const headers = signed();
        const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
        const two = {
          ...headers,
          'WEBHOOK-SIGNATURE': `v1a,xyz v1,${'A'.repeat(43)}= ${String(headers['WEBHOOK-SIGNATURE'])}`,
        };
        for (const given of [headers, listed, two])
          expect(await verify(texto, given, ` ${secreto}\n`)).toEqual({ valor: JSON.parse(texto) });
      });

      const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
      const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
      it.each<[string, string, object]>([
        ['another body', `${texto} `, signed()],
        ['another key', texto, signed(texto, new Date(), other)],
        ['an old one', texto, signed(texto, ago(400))],
        ['one of the future', texto, signed(texto, ago(-4_000))],
        ['another id', texto, { ...signed(), 'Webhook-Id': 'msg_2' }],
        ['no headers', texto, {}],
        ['no signature', texto, { ...signed(), 'WEBHOOK-SIGNATURE': '' }],
        ['no time', texto, { ...signed(), 'webhook-timestamp': 'NaN' }],
        // PHP reads none from JSON.
        ...(language === 'php' ? [] : ['Webhook-Id', 'WEBHOOK-SIGNATURE']).map(
          (name): [string, string, object] => [
            `half a character in ${name}`,
            texto,
            { ...signed(), [name]: 'v1,\ud800' },
          ],
        ),
      ])('refuses %s', async (_, text, headers) => {
        expect((await verify(text, headers, secreto)).error).toMatchObject({ tipo: 'AvisoInvalido' });
      });

      it.each([
        null,
        '',
        'whsec_',
        'whsec_ñ',
        `whsec_${Buffer.alloc(23).toString('base64')}`,
        secreto.slice(6),
      ])('believes nothing with %j for a secret', async (wrong) => {
        const forged = signed(texto, new Date(), secreto);
        expect((await verify(texto, forged, wrong)).error).toMatchObject({
          tipo: 'otro',
          mensaje: expect.stringContaining('`secreto`'),
        });
      });

      it('names headers that were not given', async () => {
        expect((await verify(texto, null, secreto)).error).toMatchObject({
          ...{ tipo: 'otro', mensaje: expect.stringContaining('Faltan los `encabezados`') },
        });
      });

      it('takes no body that was read already', async () => {
        expect((await verify(JSON.parse(texto), signed(), secreto)).error).toMatchObject({
          ...{ tipo: 'otro', mensaje: expect.stringContaining('tal como llegó') },
        });
      });
    });
  });

describe('the clients', () => {
  const lines = (folder: string, ending: string) =>
    readdirSync(join(CLIENTS, folder))
      .filter((file) => file.endsWith(ending))
      .reduce(
        (sum, file) => sum + readFileSync(join(CLIENTS, folder, file), 'utf8').split('\n').length - 1,
        0,
      );

  it('have at most 600 lines', () => {
    expect(lines('python/guias_client', '.py')).toBeLessThanOrEqual(600);
    expect(lines('php/src', '.php')).toBeLessThanOrEqual(600);
  });

  it('have the methods that `npm run openapi:client` makes of openapi.json', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guias-clients-'));
    try {
      for (const path of ['python/guias_client', 'php/src', 'typescript/src'])
        mkdirSync(join(folder, path), { recursive: true });
      execFileSync(process.execPath, [join(CLIENTS, 'generate.mjs'), folder]);
      for (const file of [
        'python/guias_client/_operaciones.py',
        'typescript/src/operaciones.ts',
        ...['Operaciones', 'Pruebas', 'Webhooks'].map((name) => `php/src/${name}.php`),
      ])
        expect([
          file,
          readFileSync(join(folder, file), 'utf8') === readFileSync(join(CLIENTS, file), 'utf8'),
        ]).toEqual([file, true]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const python = unlessMissing(it, missingFor('python'));
  python('in Python are of version 3.9', () => {
    const check = 'import ast,sys\nfor f in sys.argv[1:]: ast.parse(open(f).read(), feature_version=(3, 9))';
    const folder = join(CLIENTS, 'python/guias_client');
    execFileSync('python3', [
      '-c',
      check,
      ...readdirSync(folder)
        .filter((file) => file.endsWith('.py'))
        .map((file) => join(folder, file)),
    ]);
  });
});
