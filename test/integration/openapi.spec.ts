import { readFileSync } from 'node:fs';
import { createTestApp, type TestApp } from '../support/test-app.js';

type Json = Record<string, any>;

describe('the OpenAPI document', () => {
  let test: TestApp;
  let document: Json;

  beforeAll(async () => {
    test = await createTestApp();
    document = (await test.request('/api/docs-json')).body;
  });
  afterAll(() => test.close());

  const operations = () =>
    Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );

  it('is version 3.1 and the same as the committed openapi.json (npm run openapi)', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
  });

  it('is served as YAML too', async () => {
    const answer = await test.request('/api/docs-yaml');
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^openapi: 3\.1\.0$/m);
  });

  it('resolves every reference', () => {
    const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]*)"/g)].map(
      ([, name]) => name!,
    );
    expect(names.filter((name) => !(name in document.components.schemas))).toEqual([]);
    expect(names.length).toBeGreaterThan(5);
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

  it('refuses unknown fields in words of its own: additionalProperties is false where a body is read', () => {
    for (const name of ['CrearGuiaDto', 'RecogidaDto']) {
      expect({ name, open: document.components.schemas[name].additionalProperties }).toEqual({
        name,
        open: false,
      });
    }
  });

  it('has examples of bodies that run as they are', async () => {
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
});
