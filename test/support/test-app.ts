import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { CountryCode } from 'libphonenumber-js';
import { ApiKeysService } from '../../src/auth/keys/api-keys.service.js';
import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { OperatorsService } from '../../src/auth/operators/operators.service.js';
import type { Scope } from '../../src/auth/keys/scopes.js';
import { loadConfig } from '../../src/platform/config/env.js';
import { Secrets } from '../../src/platform/config/secrets.js';
import { createApp } from '../../src/create-app.js';
import type { TimeLimits } from '../../src/platform/database/time-limits.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { watchAnswers } from './documented-answers.js';
import { APP_SECRET } from './guia-body.js';

export { APP_SECRET, guiaBody } from './guia-body.js';

/** Milliseconds; no machine is so slow. */
const UNREACHED: TimeLimits = {
  ...{ receive: 110_000, answer: 110_000, connection: 110_000, statement: 110_000, silence: 110_000 },
  ...{ lock: 110_000, turn: 110_000, transaction: 110_000 },
};

export interface Answer {
  status: number;
  headers: Headers;
  body: any;
  text: string;
}

export interface TestMerchant {
  id: string;
  key: string;
  keyId: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/** What an operator does: moves guides of any merchant. */
export interface TestOperator extends Client {
  id: string;
  /** Registers an event of a guide. */
  move(guia: string, body: Record<string, unknown>): Promise<Answer>;
}

type Client = Pick<TestMerchant, 'key' | 'get' | 'post' | 'patch' | 'delete'>;

export interface TestApp {
  app: NestFastifyApplication;
  /** http://127.0.0.1:port */
  url: string;
  database: TestDatabase;
  /** Every log line so far, parsed. */
  logs: Record<string, any>[];
  request: (path: string, init?: RequestOptions) => Promise<Answer>;
  merchant(options?: { country?: CountryCode } & KeyOptions): Promise<TestMerchant>;
  /** The test key of a merchant: of this one, or of a new one. */
  tester(merchantId?: string, options?: KeyOptions): Promise<TestMerchant>;
  /** Another key of a merchant. */
  keyOf(merchantId: string, options?: KeyOptions): Promise<TestMerchant>;
  operator(name?: string, options?: KeyOptions): Promise<TestOperator>;
  close(): Promise<void>;
}

/** Node's `fetch` sends buffers too, which the browser's types do not say. */
type RequestOptions = Omit<RequestInit, 'body'> & { body?: RequestInit['body'] | Buffer };

interface KeyOptions {
  scopes?: Scope[];
  expiresAt?: Date;
}

export interface TestAppOptions {
  /** Environment variables, over the defaults. */
  env?: Record<string, string>;
  /** Shared with another app, which then owns it. */
  database?: TestDatabase;
  /** Milliseconds; where a test is not about them, so long that no machine is too slow. */
  timeLimits?: Partial<TimeLimits>;
}

/** An app, and what only its owner may do. */
interface OpenApp extends Omit<TestApp, 'close'> {
  /** Takes what answers said against openapi.json so far. */
  takeFaults: () => string[];
  end: () => Promise<void>;
}

let shared: Promise<OpenApp> | undefined;
/** Whether a file of this process uses it now. */
let isInUse = false;
/** How many files have used one. */
let uses = 0;

/**
 * The app that all files of a process share: `ROLE=api`, and a database that holds merchants of other files. It is opened
 * for the first file that asks, and its `logs` start empty for each. Closing it only ends the file's use of it.
 */
export async function sharedApp(): Promise<TestApp> {
  shared ??= openApp({});
  const { end: _, takeFaults, ...app } = await shared;
  isInUse = true;
  app.logs.length = 0;
  takeFaults();
  const mine = `Mensajería ${++uses}`;
  return {
    ...app,
    operator: (name = mine, options) => app.operator(name, options),
    close: async () => {
      isInUse = false;
      const faults = takeFaults();
      app.logs.length = 0;
      // Without a parent, such as with `--runInBand`, nobody says when the last file has ended.
      if (!process.connected) await endSharedApp();
      throwIfAny(faults);
    },
  };
}

/** Its database goes with it: a process needs none while the files with an app of their own run. */
async function endSharedApp(): Promise<void> {
  const opened = shared;
  shared = undefined;
  await (await opened)?.end();
}

// Jest tells a worker that it may end by taking its own listener off; an app that is open would keep it alive.
process.on('removeListener', (event) => {
  if (event === 'message') void endSharedApp();
});

/**
 * The whole service on a real, migrated PostgreSQL, listening on a port of its own; `ROLE=api` unless `env` says otherwise.
 * Not while the file uses the shared app, unless beside it on its database.
 */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const besideShared = options.database !== undefined && options.database === (await shared)?.database;
  if (isInUse && !besideShared) throw new Error('this file has not closed the shared app');
  if (!besideShared) await endSharedApp();
  const { takeFaults, end, ...app } = await openApp(options);
  return {
    ...app,
    close: async () => {
      await end();
      throwIfAny(takeFaults());
    },
  };
}

function throwIfAny(faults: readonly string[]): void {
  if (faults.length > 0)
    throw new Error(
      `Answers against openapi.json, which \`npm run openapi\` writes:\n${[...new Set(faults)].join('\n')}`,
    );
}

async function openApp(options: TestAppOptions): Promise<OpenApp> {
  const database = options.database ?? (await createTestDatabase());
  const config = loadConfig({
    DATABASE_URL: database.url,
    APP_SECRET,
    ROLE: 'api',
    RATE_LIMIT_PER_MINUTE: '1000000',
    PORT: '0',
    // Nothing listens there: without a stub of its own, no test reaches the real map services.
    MAPS_RESOLVER_URL: 'http://127.0.0.1:1',
    // Likewise no map asks for real tiles.
    TILE_URL: 'none',
    ...options.env,
  });
  const logs: Record<string, any>[] = [];
  const logger = createLogger(config, { write: (line: string) => void logs.push(JSON.parse(line)) });
  const app = await createApp(
    {
      config,
      secrets: new Secrets(config.appSecret!),
      databaseUrl: database.url,
      boardUsers: config.boardUsers,
      timeLimits: { ...UNREACHED, ...options.timeLimits },
    },
    logger,
  );
  const answers = watchAnswers(app.getHttpAdapter().getInstance());
  await app.listen(config.port, config.host);
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;

  const request = async (path: string, init?: RequestOptions): Promise<Answer> => {
    const response = await fetch(url + path, init as RequestInit);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  };
  const keyOf = async (merchantId: string, keyOptions?: KeyOptions): Promise<TestMerchant> => {
    const { apiKey, id: keyId } = await app
      .get(ApiKeysService)
      .create({ comercio_id: merchantId }, keyOptions);
    return { id: merchantId, keyId, ...client(request, apiKey) };
  };
  const tester = async (merchantId?: string, keyOptions?: KeyOptions): Promise<TestMerchant> => {
    const merchants = app.get(MerchantsService);
    const merchant = merchantId ? await merchants.find(merchantId) : await merchants.create('Tienda', 'GT');
    const twin = await merchants.testTwinOf(merchant!);
    const { apiKey, id: keyId } = await app
      .get(ApiKeysService)
      .create({ comercio_id: twin.id }, { ...keyOptions, mode: 'test' });
    return { id: twin.id, keyId, ...client(request, apiKey) };
  };
  return {
    app,
    url,
    database,
    logs,
    request,
    merchant: async ({ country = 'GT', ...keyOptions } = {}) => {
      const { id } = await app.get(MerchantsService).create('Tienda', country);
      return keyOf(id, keyOptions);
    },
    keyOf,
    tester,
    operator: async (name = 'Mensajería', keyOptions) => {
      const { id } = await app.get(OperatorsService).findOrCreate(name);
      const { apiKey } = await app.get(ApiKeysService).create({ operador_id: id }, keyOptions);
      const operator = client(request, apiKey);
      return {
        id,
        ...operator,
        move: (guia, body) => operator.post(`/api/v1/operaciones/guias/${guia}/eventos`, body),
      };
    },
    takeFaults: () => answers.faults.splice(0),
    end: async () => {
      await app.close();
      if (!options.database) await database.drop();
    },
  };
}

/** An app for one test, closed whatever comes of it: one left open would keep the whole run from ending. */
export async function withTestApp<T>(options: TestAppOptions, run: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await createTestApp(options);
  try {
    return await run(app);
  } finally {
    await app.close();
  }
}

/** Requests with a key. */
export function client(request: TestApp['request'], key: string): Client {
  const authorization = `Bearer ${key}`;
  const send =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      request(path, {
        method,
        headers: {
          authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
  return {
    key,
    get: (path, headers) => send('GET')(path, undefined, headers),
    post: send('POST'),
    patch: send('PATCH'),
    delete: (path) => send('DELETE')(path),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
