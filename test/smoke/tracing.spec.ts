import { spawnSync } from 'node:child_process';
import { callersSpan, startCollector } from '../support/collector.js';
import { APP_SECRET } from '../support/guia-body.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { environment, ROOT, useServices } from '../support/service-process.js';
import { useDatabase } from '../support/use.js';

/** Prints which packages of OpenTelemetry the modules of a service that traces nothing have loaded. */
const LIST_LOADED = `
await import('./dist/src/commands/service/run-service.js');
await import('./dist/src/commands/service/serve.js');
const { createRequire } = await import('node:module');
const loaded = Object.keys(createRequire(import.meta.url).cache).map((path) => /@opentelemetry.([a-z-]+)/.exec(path)?.[1]);
console.log(JSON.stringify([...new Set(loaded.filter(Boolean))]));
`;

describe('the built service', () => {
  const { start } = useServices();
  const database = useDatabase();
  let key: string;

  beforeAll(async () => {
    key = await insertMerchant(database);
  });

  it("loads nothing of OpenTelemetry's SDK without tracing", () => {
    const args = ['--input-type=module', '--eval', LIST_LOADED];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env: environment({}) });
    expect(stderr.toString()).toBe('');
    expect(JSON.parse(stdout.toString())).toEqual(['api']);
  });

  it('exports the spans of its last requests before it ends', async () => {
    const collector = await startCollector();
    const service = await start({ ...collector.env, DATABASE_URL: database.url, APP_SECRET, ROLE: 'api' });
    const caller = callersSpan();
    const headers = { authorization: `Bearer ${key}`, ...caller.headers };
    expect((await fetch(`${service.url}/api/v1/guias`, { headers })).status).toBe(200);
    expect((await service.stop()).code).toBe(0);
    expect(collector.paths(caller.traceId)).toEqual(['GET /api/v1/guias']);
    await collector.close();
  });

  it('works and ends in time while the collector does not answer', async () => {
    const collector = await startCollector();
    collector.otherwise({ fault: 'hang' });
    const service = await start({ ...collector.env, DATABASE_URL: database.url, APP_SECRET, ROLE: 'api' });
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${service.url}/api/v1/guias`, { headers })).status).toBe(200);
    await collector.received(1);
    expect((await fetch(`${service.url}/api/v1/guias`, { headers })).status).toBe(200);
    expect((await service.stop()).code).toBe(0);
    await collector.close();
  });
});
