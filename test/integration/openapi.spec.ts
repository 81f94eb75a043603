import { readFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { AVISO_EVENTO_NAMES } from '../../src/webhooks/endpoints/webhook-evento.js';
import { FORMATOS } from '../../src/etiquetas/label-document.js';
import { TAMANOS } from '../../src/etiquetas/sheets.js';
import { eventually } from '../support/eventually.js';
import { createHookedApp } from '../support/webhooks.js';
import type { TestApp } from '../support/test-app.js';
import { opened } from '../support/use.js';

type Json = Record<string, any>;

describe('the OpenAPI document', () => {
  // With workers, which send the webhooks that it describes.
  const app = opened(() => createHookedApp());
  let test: TestApp;
  let document: Json;

  beforeAll(async () => {
    ({ test } = app);
    document = (await test.request('/api/docs-json')).body;
  });

  const operations = () =>
    Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );

  /** An answer of an operation, which may refer to a shared one. */
  const answerOf = (answer: Json): Json =>
    answer.$ref ? document.components.responses[answer.$ref.split('/').at(-1)] : answer;

  it('is version 3.1 and the same as the committed openapi.json (npm run openapi)', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
  });

  it('is version 3.0 for tools that know no 3.1, with the same operations', async () => {
    const old = (await test.request('/api/docs-json?version=3.0')).body as Json;
    expect(old.openapi).toBe('3.0.3');
    expect(Object.keys(old.paths)).toEqual(Object.keys(document.paths));
    // An object that one field alone names, which may be null, stands in its place.
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(Object.keys(old.components.schemas)),
    );
    expect(old.components.schemas).not.toHaveProperty('MensajeDto');
    expect(old.components.schemas.GuiaDelComercioDto.properties.mensaje).toMatchObject({
      ...{ type: 'object', nullable: true, properties: { estado: { type: 'string' } } },
    });
    expect(Object.keys(old['x-webhooks'])).toEqual(Object.keys(document.webhooks));
    const text = JSON.stringify(old);
    expect(text).toContain('"nullable":true');
    expect(text).not.toMatch(/"type":(\[|"null")/);
    expect((await test.request('/api/docs-yaml?version=3.0')).text).toMatch(/^openapi: 3\.0\.3$/m);
    for (const other of ['', '?version=3.1', '?version=2', '?version=3.1&version=3.0'])
      expect((await test.request(`/api/docs-json${other}`)).body.openapi).toBe('3.1.0');
  });

  it.each(['', '?version=3.0'])(
    'has no null among the values of an enumeration, on which generators stop: %j',
    async (version) => {
      const { text } = await test.request(`/api/docs-json${version}`);
      expect(text.match(/"enum":\[[^\]]*null[^\]]*\]/g)).toBeNull();
    },
  );

  it('has in version 3.0 no schemas in answers that generators of types cannot name', async () => {
    const { body: old, text } = await test.request('/api/docs-json?version=3.0');
    expect(text).not.toMatch(/"(oneOf|anyOf)"|"enum":\[(true|false)/);
    const made = old.paths['/api/v1/guias'].post.responses;
    expect(made[200].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/GuiaCreadaDto',
    });
    expect(made[201].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/GuiaCreadaDto',
    });
    expect(old.components.schemas.GuiaCreadaDto).toMatchObject({
      required: ['ok', 'guia', 'id', 'estado', 'external_ref'],
      properties: { duplicada: { type: 'boolean' } },
    });
    for (const { content } of Object.values<Json>(old.components.responses))
      expect(content['application/problem+json'].schema).toEqual({
        $ref: '#/components/schemas/ProblemaDto',
      });
    const { resultados } = old.components.schemas.LoteCreadoDto.properties;
    expect(resultados.items).toMatchObject({
      type: 'object',
      required: ['external_ref', 'status'],
      properties: { status: { type: 'integer' }, guia: { type: 'string' }, codigo: { type: 'string' } },
    });
    expect(resultados.items.properties.status).not.toHaveProperty('enum');
  });

  it('is served as YAML too', async () => {
    const answer = await test.request('/api/docs-yaml');
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^openapi: 3\.1\.0$/m);
  });

  it.each(['/', '/api'])('is found from %s, without a key', async (path) => {
    const { status, headers } = await test.request(path, { redirect: 'manual' });
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/api/docs' });
  });

  it.each([
    ['merchant-day', 'dia-del-comercio'],
    ['courier-day', 'dia-del-mensajero'],
  ])('leads from the former name of a guide, %s, to %s', async (former, guide) => {
    const answer = await test.request(`/api/docs/guias/${former}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, `/api/docs/guias/${guide}`]);
  });

  it('is linked from Swagger UI, which says that it is in Spanish and fits a phone', async () => {
    const { text } = await test.request('/api/docs');
    for (const part of [
      '<html lang="es">',
      'name="viewport"',
      'href="/api/docs-json"',
      'href="/api/docs-yaml"',
    ])
      expect(text).toContain(part);
    expect((await test.request('/api/docs/swagger-ui-init.js')).text).toContain('Autorizar');
  });

  describe.each([
    ['/api/docs-json', 'application/json; charset=utf-8'],
    ['/api/docs-yaml', 'text/yaml; charset=utf-8'],
    ['/api/docs-json?version=3.0', 'application/json; charset=utf-8'],
    ['/api/docs/swagger-ui-init.js', 'application/javascript; charset=utf-8'],
  ])('%s is made once', (path, type) => {
    /** The bytes as they come. */
    const get = (headers: Record<string, string>, method = 'GET') =>
      new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
        const sent = request(`${test.url}${path}`, { method, headers }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
          );
        });
        sent.on('error', reject).end();
      });

    it('and answers all with the same bytes, compressed for a client that accepts gzip', async () => {
      const [first, second] = [await get({}), await get({ 'accept-encoding': 'gzip;q=0' })];
      expect(first.body.length).toBeGreaterThan(10_000);
      expect(second.body.equals(first.body)).toBe(true);
      const zipped = await get({ 'accept-encoding': 'deflate, gzip;q=0.5' });
      expect(gunzipSync(zipped.body).equals(first.body)).toBe(true);
      for (const { status, headers } of [first, second, zipped])
        expect({ status, type: headers['content-type'], vary: headers.vary }).toEqual({
          status: 200,
          type,
          vary: 'Accept-Encoding',
        });
      expect([first, second, zipped].map(({ headers }) => headers['content-encoding'])).toEqual([
        undefined,
        undefined,
        'gzip',
      ]);
    });

    it('and answers 304 to a client that has it', async () => {
      const { headers, body } = await get({});
      const again = await get({ 'if-none-match': `"other", ${headers.etag}`, 'accept-encoding': 'gzip' });
      expect({ status: again.status, bytes: again.body.length, etag: again.headers.etag }).toEqual({
        status: 304,
        bytes: 0,
        etag: headers.etag,
      });
      const head = await get({}, 'HEAD');
      expect({ length: head.headers['content-length'], etag: head.headers.etag }).toEqual({
        length: String(body.length),
        etag: headers.etag,
      });
      expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
    });
  });

  it('lists the values of every parameter that is a state', () => {
    const states = operations().flatMap(({ name, operation }) =>
      ((operation.parameters ?? []) as Json[])
        .filter((parameter) => parameter.name === 'estado')
        .map(({ schema }) => ({ name, hasValues: /"enum"|\$ref/.test(JSON.stringify(schema)) })),
    );
    expect(states.length).toBeGreaterThan(3);
    expect(states.filter(({ hasValues }) => !hasValues)).toEqual([]);
  });

  it('names in its description every value of a query parameter that takes few', () => {
    const values: Record<string, readonly string[]> = {
      formato: FORMATOS,
      tamano: TAMANOS,
      modo: ['prueba'],
    };
    const parameters = operations().flatMap(({ operation }) => (operation.parameters ?? []) as Json[]);
    for (const { name, description } of parameters)
      for (const value of values[name] ?? []) expect(description).toContain(`\`${value}\``);
    expect(parameters.filter(({ name }) => name in values).length).toBeGreaterThan(10);
  });

  it('offers every format and size of a label in a list', () => {
    const labels = operations().filter(({ name }) => /^GET .*\/etiqueta$/.test(name));
    expect(labels).toHaveLength(2);
    for (const { operation } of labels)
      for (const [parameter, values] of [
        ['formato', FORMATOS],
        ['tamano', TAMANOS],
      ] as const) {
        const { examples } = operation.parameters.find(({ name }: Json) => name === parameter);
        expect(Object.values<Json>(examples).map(({ value }) => value)).toEqual(values);
      }
  });

  it('prefills no header: a version or key of an example would change what the request means', () => {
    const headers = operations().flatMap(({ operation }) =>
      ((operation.parameters ?? []) as Json[]).filter((parameter) => parameter.in === 'header'),
    );
    expect(headers.length).toBeGreaterThan(1);
    expect(headers.filter((header) => 'example' in header || 'example' in header.schema)).toEqual([]);
  });

  it('ends each description with the scope that the operation needs, which its 403 names too', () => {
    for (const { name, operation } of operations()) {
      expect(`${name}: ${operation.description}`).toMatch(/\n\nAlcance: `[a-z]+(:[a-z]+)?`\.$/);
      const scope = /`([^`]*)`\.$/.exec(operation.description as string)![1]!;
      const { examples } = answerOf(operation.responses[403]).content['application/problem+json'];
      expect(examples.sin_permiso.value.detail).toContain(`\`${scope}\``);
    }
    expect(JSON.stringify(document)).not.toContain('x-route-notes');
  });

  it('names with 413 the limit of the operation itself', () => {
    const limitOf = (path: string) =>
      answerOf(document.paths[path].post.responses[413]).description as string;
    expect(limitOf('/api/v1/guias')).toMatch(/ 32 KiB\.$/);
    expect(limitOf('/api/v1/guias/lote')).toMatch(/ 1 MiB\.$/);
    expect(limitOf('/api/v1/operaciones/eventos')).toMatch(/ 512 KiB\.$/);
  });

  it('gives every example of a body or an error a summary without markup', () => {
    const contents = operations().flatMap(({ operation }) =>
      [operation.requestBody, ...Object.values<Json>(operation.responses).map(answerOf)].flatMap(
        (one: Json | undefined) => Object.values<Json>(one?.content ?? {}),
      ),
    );
    const examples = contents.flatMap((content) => Object.values<Json>(content.examples ?? {}));
    expect(examples.length).toBeGreaterThan(100);
    expect(examples.filter(({ summary }) => !summary || summary.includes('`'))).toEqual([]);
  });

  it('resolves every reference', () => {
    const names = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]*)"/g)].map(
      ([, kind, name]) => ({ kind: kind!, name: name! }),
    );
    expect(names.filter(({ kind, name }) => !(name in document.components[kind]))).toEqual([]);
    expect(new Set(names.map(({ kind }) => kind))).toEqual(new Set(['headers', 'responses', 'schemas']));
  });

  it('describes every field in Spanish, with its limits', () => {
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      for (const [field, property] of Object.entries<Json>(schema.properties ?? {})) {
        expect(`${name}.${field}: ${property.description}`).toMatch(/: .{5,}/);
        expect(`${name}.${field}: ${property.description}`).not.toContain('undefined');
      }
    }
  });

  it('documents for every operation the key it needs and each answer, errors included', () => {
    for (const { name, operation } of operations()) {
      expect({ name, security: operation.security }).toEqual({ name, security: [{ bearer: [] }] });
      const statuses = Object.keys(operation.responses);
      expect({ name, statuses }).toEqual({
        name,
        statuses: expect.arrayContaining(['400', '401', '403', '429', '500', '503']),
      });
    }
  });

  it('writes each error out once, and refers to it from every operation that has it', () => {
    const { responses } = document.components as { responses: Json };
    const referred = operations().flatMap(({ operation }) =>
      Object.entries<Json>(operation.responses).flatMap(([status, answer]) =>
        status < '400' ? [] : [{ status, ref: answer.$ref as string | undefined }],
      ),
    );
    for (const { status, ref } of referred)
      expect(ref).toMatch(new RegExp(`^#/components/responses/Error${status}_\\w+$`));
    expect(new Set(referred.map(({ ref }) => ref!.split('/').at(-1)))).toEqual(
      new Set(Object.keys(responses)),
    );
    const written = Object.values(responses).map((answer) => JSON.stringify(answer));
    expect(new Set(written).size).toBe(written.length);
  });

  it('sets additionalProperties to false in schemas of request bodies', () => {
    for (const name of ['CrearGuiaDto', 'RecogidaDto']) {
      expect({ name, open: document.components.schemas[name].additionalProperties }).toEqual({
        name,
        open: false,
      });
    }
  });

  it('has examples of bodies that the API accepts as they are', async () => {
    const merchant = await test.merchant();
    const { post } = document.paths['/api/v1/guias'];
    const examples = Object.values<Json>(post.requestBody.content['application/json'].examples);
    expect(examples.length).toBeGreaterThan(1);
    for (const { value } of examples) {
      const first = await merchant.post('/api/v1/guias', value);
      expect({ value, status: first.status }).toEqual({ value, status: 201 });
      expect((await merchant.post('/api/v1/guias', value)).status).toBe(200);
    }
  });

  it('has an example of a summary that adds up', () => {
    const { properties } = document.components.schemas.ResumenDto;
    const sum = (field: string) => properties.cobrado.example[field] + properties.liquidado.example[field];
    expect(properties.diferencia.example).toBe(sum('cod_cobrado') - sum('cod_amount'));
    for (const estado of ['por_cobrar', 'sin_cobro'])
      expect(properties[estado].example).toMatchObject({ guias: expect.any(Number), cod_cobrado: 0 });
  });

  it('has examples of batches that the API accepts as they are, as JSON and as CSV', async () => {
    const merchant = await test.merchant();
    const { content } = document.paths['/api/v1/guias/lote'].post.requestBody;
    expect(Object.keys(content)).toEqual(['application/json', 'text/csv']);
    for (const [type, { examples }] of Object.entries<Json>(content)) {
      for (const { value } of Object.values<Json>(examples)) {
        const answer = await merchant.post('/api/v1/guias/lote', value, { 'content-type': type });
        expect(answer).toMatchObject({ status: 200, body: { creadas: 2, rechazadas: 0 } });
      }
    }
  });

  describe('shows the webhooks of merchants', () => {
    let receiver: FastifyInstance;

    /** A server that accepts what the document's schemas allow. */
    beforeAll(async () => {
      const customOptions = {
        strict: false,
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
      };
      receiver = fastify({ ajv: { customOptions } });
      receiver.addSchema({ $id: 'https://guias.example/api', components: document.components });
      for (const name of Object.keys(document.webhooks)) {
        const { schema } = bodyOf(name);
        const body = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://guias.example/api#/'));
        receiver.post(`/${name}`, { schema: { body } }, () => 'ok');
      }
      await receiver.ready();
    });
    afterAll(() => receiver.close());

    const bodyOf = (name: string) => document.webhooks[name].post.requestBody.content['application/json'];
    const post = async (name: string, payload: Json) => {
      const { statusCode, body } = await receiver.inject({ method: 'POST', url: `/${name}`, payload });
      return { name, statusCode, body };
    };
    const taken = (name: string) => ({ name, statusCode: 200, body: 'ok' });

    it('with one entry for each event and for the test, with headers and answers', () => {
      expect(Object.keys(document.webhooks)).toEqual([...AVISO_EVENTO_NAMES, 'webhook.prueba']);
      const ids = Object.values<Json>(document.webhooks).map(({ post: { operationId } }) => operationId);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { post: operation } of Object.values<Json>(document.webhooks)) {
        expect(operation.parameters.map((one: Json) => [one.in, one.name, one.required])).toEqual([
          ['header', 'webhook-id', true],
          ['header', 'webhook-timestamp', true],
          ['header', 'webhook-signature', true],
        ]);
        expect(Object.keys(operation.responses).sort()).toEqual(['2XX', '410', 'default']);
        expect(operation.security).toEqual([]);
      }
    });

    it('with examples that match their schemas', async () => {
      for (const name of Object.keys(document.webhooks))
        expect(await post(name, bodyOf(name).example)).toEqual(taken(name));
    });

    it('with schemas that match nothing else', async () => {
      const { example } = bodyOf('guia.creada');
      const others: Json[] = [
        {},
        { ...example, type: 'guia.cancelada' },
        { ...example, timestamp: 'ayer' },
        { ...example, data: { ...example.data, secuencia: '1' } },
        { ...example, data: { ...example.data, estado: 'perdido' } },
        { ...example, data: { ...example.data, guia: { ...example.data.guia, telefono: undefined } } },
      ];
      for (const other of others) expect((await post('guia.creada', other)).statusCode).toBe(400);
    });

    it('as they are sent', async () => {
      const { receiver: sink, hooks } = app;
      const merchant = await test.merchant();
      const operator = await test.operator();
      const endpoint = await hooks.endpoint(merchant);
      const { id } = await hooks.guia(merchant, { cod_amount: 100 });
      for (const move of [
        { estado: 'en_camino_a_recoger' },
        { estado: 'recogido' },
        { estado: 'en_ruta' },
        { estado: 'intento_fallido', motivo: 'ausente', nota: 'Volver' },
        { estado: 'en_ruta' },
        { estado: 'entregado', cod_cobrado: 100, recibio: 'Rosa', lat: 14.6, lng: -90.5 },
      ])
        expect((await operator.move(id, move)).status).toBe(201);
      const { id: other } = await hooks.guia(merchant);
      await merchant.post(`/api/v1/guias/${other}/cancelar`, { nota: 'No' });
      await merchant.post(`${endpoint.path}/probar`);
      // The delivery is far from the destination, which is a webhook of its own.
      await eventually(() => expect(sink.at(endpoint.at)).toHaveLength(11));

      const { schemas } = document.components;
      const known = (schema: string) => Object.keys(schemas[schema].properties);
      const required = (schema: string) => schemas[schema].required as string[];
      const optional = new Set<string>();
      for (const { json, headers } of sink.at(endpoint.at)) {
        expect(await post(json.type, json)).toEqual(taken(json.type));
        expect(
          Object.keys(headers)
            .filter((name) => name.startsWith('webhook-'))
            .sort(),
        ).toEqual(document.webhooks[json.type].post.parameters.map(({ name }: Json) => name).sort());
        if (json.type === 'webhook.prueba') {
          expect(Object.keys(json.data)).toEqual(known('PruebaDatosDto'));
          continue;
        }
        expect(Object.keys(json)).toEqual(known('AvisoDto'));
        expect(Object.keys(json.data)).toEqual(expect.arrayContaining(required('AvisoDatosDto')));
        expect(known('AvisoDatosDto')).toEqual(expect.arrayContaining(Object.keys(json.data)));
        expect(Object.keys(json.data.guia).sort()).toEqual(known('GuiaDetalleDto').sort());
        expect(Object.keys(json.data.guia.recogida).sort()).toEqual(known('PuntoDeRecogidaDto').sort());
        expect(Object.keys(json.data.guia.destino).sort()).toEqual(known('DestinoDto').sort());
        for (const key of Object.keys(json.data))
          if (!required('AvisoDatosDto').includes(key)) optional.add(key);
      }
      expect([...optional].sort()).toEqual([
        ...['cod_cobrado', 'codigo', 'distancia_m', 'motivo', 'nota', 'pago', 'recibio'],
      ]);
    });
  });
});
