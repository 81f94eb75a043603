import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createTestApp } from '../support/test-app.js';
import { unlessMissing } from '../support/skipping.js';

const ROOT = resolve(import.meta.dirname, '../..');
const COLLECTION = join(ROOT, 'clients/guias.postman_collection.json');
const NEWMAN = process.env.GUIAS_TEST_NEWMAN;

interface Run {
  stats: Record<'requests' | 'assertions' | 'testScripts', { total: number; failed: number }>;
  failures: { source: { name: string }; error: { message: string } }[];
  executions: { item: { name: string }; response?: { code: number } }[];
}

describe('the Postman collection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guias-postman-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs the whole collection as its user would; what Newman reports. */
  const run = async (variables: Record<string, string>): Promise<Run> => {
    const report = join(folder, 'report.json');
    const args = ['run', COLLECTION, '--suppress-exit-code', '--reporters', 'json'];
    args.push('--reporter-json-export', report);
    for (const [name, value] of Object.entries(variables)) args.push('--env-var', `${name}=${value}`);
    await promisify(execFile)(process.execPath, [NEWMAN!, ...args], { cwd: folder });
    return (JSON.parse(readFileSync(report, 'utf8')) as { run: Run }).run;
  };
  const failuresOf = ({ failures }: Run) => failures.map(({ source, error }) => [source.name, error.message]);

  it('is the one that npm run openapi:postman makes of openapi.json', async () => {
    const made = join(folder, 'made.json');
    await promisify(execFile)(process.execPath, [join(ROOT, 'clients/postman/generate.mjs'), made]);
    expect(readFileSync(made, 'utf8') === readFileSync(COLLECTION, 'utf8')).toBe(true);
  });

  const itRuns = unlessMissing(it, NEWMAN ? undefined : 'npm cannot install test/postman');

  itRuns('runs by itself, with a test key, with an operator too, and again', async () => {
    const test = await createTestApp({ env: { ROLE: 'all' } });
    try {
      const claveDePrueba = (await test.tester()).key;
      const claveDeOperador = (await test.operator()).key;
      const merchant = { baseUrl: test.url, claveDePrueba };
      for (const variables of [merchant, { ...merchant, claveDeOperador }]) {
        const { stats, ...result } = await run(variables);
        expect(failuresOf({ stats, ...result })).toEqual([]);
        expect(stats.requests.failed + stats.testScripts.failed).toBe(0);
        expect(stats.requests.total).toBeGreaterThan(40);
        expect(stats.assertions.total).toBe(stats.requests.total);
      }
    } finally {
      await test.close();
    }
  });
});
