import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');

describe('tools of others', () => {
  it('find nothing in openapi.json, its collection, its generated clients and its service', async () => {
    const options = { cwd: ROOT, maxBuffer: 1e8 };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['test/third-party/check.mjs', '--unless-passed'],
      options,
    );
    console.log(stdout);
    const { findings } = JSON.parse(readFileSync(join(ROOT, 'test/third-party/passed.json'), 'utf8')) as {
      findings: Record<string, number>;
    };
    expect(findings).toEqual(Object.fromEntries(Object.keys(findings).map((tool) => [tool, 0])));
  }, 600_000);
});
