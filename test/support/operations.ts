import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Money } from './money.js';
import type { TestApp, TestMerchant } from './test-app.js';

export const URL_OF_WEBHOOK = 'https://canario.example/avisos';

/** A route of the API as `openapi.json` documents it. */
export interface Operation {
  /** Like `POST /api/v1/guias`. */
  name: string;
  method: string;
  /** With parameters as Fastify writes them, like `/api/v1/guias/:id`. */
  path: string;
  /** Whose keys it takes. */
  role: 'merchant' | 'operator' | 'test';
  /** What `:id` names, `guias` for example; undefined for a path without it. */
  kind: string | undefined;
  /** The examples of a body, or an empty one; only undefined for a route without a body. */
  bodies: unknown[];
}

interface Document {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { examples?: Examples }> } }>
  >;
}
type Examples = Record<string, { value: unknown }>;

/** Every route below /api/v1. */
export const OPERATIONS: Operation[] = Object.entries(readDocument().paths).flatMap(
  ([template, operations]) =>
    Object.entries(operations).map(([verb, { requestBody }]) => {
      const [method, path] = [verb.toUpperCase(), template.replace(/\{(\w+)\}/g, ':$1')];
      const content = requestBody?.content['application/json'];
      return {
        name: `${method} ${path}`,
        method,
        path,
        role: roleOf(path),
        kind: /\/(\w+)\/:id/.exec(path)?.[1],
        bodies: content ? bodiesOf(content.examples) : [undefined],
      };
    }),
);

function roleOf(path: string): Operation['role'] {
  if (path.startsWith('/api/v1/operaciones/')) return 'operator';
  return path.startsWith('/api/v1/pruebas/') ? 'test' : 'merchant';
}

/**
 * Makes one of each thing that a merchant owns, and a driver; their names by what `:id` stands for. A new kind is added here.
 * @param guia fields of the guide.
 */
export async function makeOwned(
  test: TestApp,
  merchant: TestMerchant,
  guia: Record<string, unknown> = {},
): Promise<Record<string, string[]>> {
  const money = await Money.start(test, merchant);
  const { id, guia: numero } = await money.lives.create(guia);
  const { webhook } = (await merchant.post('/api/v1/webhooks', { url: URL_OF_WEBHOOK })).body;
  await money.deliver(5);
  const { liquidacion } = (await money.settle()).body;
  const { ajuste } = (await money.adjust(1)).body;
  const { piloto } = (await money.operator.post('/api/v1/operaciones/pilotos', { nombre: 'Marvin' })).body;
  return {
    guias: [id, numero],
    webhooks: [webhook.id],
    liquidaciones: [liquidacion.id],
    ajustes: [ajuste.id],
    pilotos: [piloto.id],
  };
}

function bodiesOf(examples: Examples = {}): unknown[] {
  const values = Object.values(examples).map(({ value }) => value);
  return values.length > 0 ? values : [{}];
}

function readDocument(): Document {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8')) as Document;
}
