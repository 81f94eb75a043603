import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { breakingChanges } from './support/breaking-changes.js';

type Json = Record<string, any>;

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '..', path), 'utf8');

/** One operation and one webhook, with something of each kind. */
function smallDocument(): Json {
  return {
    paths: {
      '/guias/{id}': {
        patch: {
          operationId: 'editar',
          security: [{ bearer: [] }],
          parameters: [
            { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
            { in: 'query', name: 'estado', schema: { $ref: '#/components/schemas/Estado' } },
          ],
          requestBody: {
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Editar' } },
              'text/csv': {},
            },
          },
          responses: {
            200: {
              headers: { ETag: { $ref: '#/components/headers/ETag' } },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Guia' } } },
            },
            409: {
              content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Guia' } } },
            },
          },
        },
      },
    },
    webhooks: {
      creada: {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Guia' } } } },
        },
      },
    },
    components: {
      headers: { ETag: { required: true, schema: { type: 'string' } } },
      schemas: {
        Estado: { type: 'string', enum: ['uno', 'dos'] },
        Editar: {
          type: 'object',
          properties: {
            notas: { type: ['string', 'null'], maxLength: 10, minLength: 1 },
            monto: { type: 'number', minimum: 0, maximum: 5 },
            lista: { type: 'array', maxItems: 3, items: { type: 'string' } },
          },
          required: ['monto'],
        },
        Guia: {
          type: 'object',
          properties: {
            id: { type: 'string', format: 'uuid', pattern: '^0' },
            estado: { description: 'Estado.', allOf: [{ $ref: '#/components/schemas/Estado' }] },
            nota: { type: 'string' },
            anterior: { type: ['string', 'null'], enum: ['uno', 'dos', null] },
            codigo: { type: 'string', enum: ['a'] },
            hijos: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
          },
          required: ['id', 'estado'],
        },
      },
    },
  };
}

const editing = (document: Json) => document.paths['/guias/{id}'].patch as Json;
const body = (document: Json) => document.components.schemas.Editar as Json;
const guia = (document: Json) => document.components.schemas.Guia as Json;

describe('the comparison of two OpenAPI documents', () => {
  const after = (change: (document: Json) => unknown) => {
    const current = smallDocument();
    change(current);
    return breakingChanges(smallDocument(), current);
  };

  it.each<[string, (document: Json) => unknown]>([
    ['nothing', () => {}],
    ['a text', (d) => (editing(d).description = 'Otra')],
    ['a new operation', (d) => (d.paths['/otra'] = { get: { responses: {} } })],
    ['a new optional parameter', (d) => editing(d).parameters.push({ in: 'query', name: 'x', schema: {} })],
    ['a new optional field of a request', (d) => (body(d).properties.x = { type: 'string' })],
    ['a field of a request that became optional', (d) => (body(d).required = [])],
    ['a wider limit of a request', (d) => (body(d).properties.notas.maxLength = 20)],
    ['a request that takes another type, too', (d) => (body(d).properties.monto.type = ['number', 'null'])],
    ['a new field of an answer', (d) => (guia(d).properties.x = { type: 'string' })],
    ['a field that every answer has now', (d) => guia(d).required.push('nota')],
    [
      'a value or null in another form',
      (d) =>
        (guia(d).properties.anterior = {
          anyOf: [{ $ref: '#/components/schemas/Estado' }, { type: 'null' }],
        }),
    ],
    ['a new error code', (d) => guia(d).properties.codigo.enum.push('b')],
    ['a new status of errors', (d) => (editing(d).responses[412] = {})],
    ['an error that no longer happens', (d) => delete editing(d).responses[409]],
  ])('allows %s', (_, change) => expect(after(change)).toEqual([]));

  it.each<[fault: string, change: (document: Json) => unknown]>([
    ['PATCH /guias/{id} is gone', (d) => delete d.paths['/guias/{id}']],
    ['operationId is now x', (d) => (editing(d).operationId = 'x')],
    ['its security is another', (d) => (editing(d).security = [])],
    ['query estado is gone', (d) => editing(d).parameters.pop()],
    ['query estado is now required', (d) => (editing(d).parameters[1].required = true)],
    [
      'header x is now required',
      (d) => editing(d).parameters.push({ in: 'header', name: 'x', required: true, schema: {} }),
    ],
    ['the body is now required', (d) => (editing(d).requestBody.required = true)],
    ['body is no longer text/csv', (d) => delete editing(d).requestBody.content['text/csv']],
    ['body.notas is gone', (d) => delete body(d).properties.notas],
    ['body.notas is now req', (d) => body(d).required.push('notas')],
    ['body.notas no longer takes null', (d) => (body(d).properties.notas.type = 'string')],
    ['body.monto no longer takes number', (d) => (body(d).properties.monto.type = 'integer')],
    ['body.monto has a lower maximum', (d) => (body(d).properties.monto.maximum = 4)],
    ['body.monto has a higher minimum', (d) => (body(d).properties.monto.minimum = 1)],
    ['body.notas has a lower maxLength', (d) => (body(d).properties.notas.maxLength = 9)],
    ['body.lista has a lower maxItems', (d) => (body(d).properties.lista.maxItems = 2)],
    ['body.notas has another pattern', (d) => (body(d).properties.notas.pattern = 'x')],
    ['body.lista[] no longer takes string', (d) => (body(d).properties.lista.items.type = 'number')],
    ['query estado no longer takes dos', (d) => (d.components.schemas.Estado.enum = ['uno'])],
    ['body.notas no longer takes any value', (d) => (body(d).properties.notas.enum = ['x'])],
    ['200 is gone', (d) => delete editing(d).responses[200]],
    ['200 header ETag is gone', (d) => (editing(d).responses[200].headers = {})],
    ['200 header ETag is no longer always there', (d) => (d.components.headers.ETag.required = false)],
    ['200 is no longer application/json', (d) => (editing(d).responses[200].content = { 'text/csv': {} })],
    ['200.nota is gone', (d) => delete guia(d).properties.nota],
    ['200.estado is no longer always there', (d) => (guia(d).required = ['id'])],
    ['200.id may now be null', (d) => (guia(d).properties.id.type = ['string', 'null'])],
    ['200.hijos[].n may now be number', (d) => (guia(d).properties.hijos.items.properties.n.type = 'number')],
    ['200.id has another format', (d) => delete guia(d).properties.id.format],
    ['200.estado may now be tres', (d) => d.components.schemas.Estado.enum.push('tres')],
    [
      '200.anterior may now be tres',
      (d) => (guia(d).properties.anterior = { anyOf: [{ enum: ['tres'] }, { type: 'null' }] }),
    ],
    ['webhook POST creada is gone', (d) => delete d.webhooks.creada],
    ['webhook POST creada: body.nota is gone', (d) => delete guia(d).properties.nota],
  ])('finds: %s', (fault, change) => expect(after(change).join('\n')).toContain(fault));
});

describe('the last release', () => {
  const released = JSON.parse(read('test/data/openapi-v1.json')) as Json;
  const current = JSON.parse(read('openapi.json')) as Json;

  it('is compatible with openapi.json: within v1 nothing is removed or narrowed (docs/api.md, Compatibilidad)', () => {
    expect(breakingChanges(released, current)).toEqual([]);
  });

  it('is the newest version of CHANGELOG.md, of the packages, and of the document it is compared with', () => {
    const [, newest] = /^## (\d+\.\d+\.\d+) /m.exec(read('CHANGELOG.md'))!;
    const versionOf = (path: string) => (JSON.parse(read(path)) as { version: string }).version;
    expect([versionOf('package.json'), versionOf('clients/typescript/package.json')]).toEqual([
      newest,
      newest,
    ]);
    expect(released['x-release']).toBe(newest);
  });
});

/** Answers of deprecated operations that do not document both dates as headers that are always there. */
function answersWithoutDates({ paths }: Json): string[] {
  return Object.values<Json>(paths)
    .flatMap((item) => Object.values<Json>(item))
    .filter(({ deprecated }) => deprecated)
    .flatMap(({ operationId, responses }) =>
      Object.entries<Json>(responses)
        .filter(([, { headers = {} }]) => !['Deprecation', 'Sunset'].every((name) => headers[name]?.required))
        .map(([status]) => `${operationId} ${status}`),
    );
}

describe('a deprecated operation', () => {
  it('documents Deprecation and Sunset for every answer, so that tests expect them there', () => {
    expect(answersWithoutDates(JSON.parse(read('openapi.json')) as Json)).toEqual([]);
  });

  it('is found without them', () => {
    const document = smallDocument();
    editing(document).deprecated = true;
    const date = { required: true, schema: { type: 'string' } };
    editing(document).responses[200].headers = { Deprecation: date, Sunset: date };
    editing(document).responses[409].headers = { Deprecation: date };
    expect(answersWithoutDates(document)).toEqual(['editar 409']);
  });
});
