import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What a test file holds, and the titles that must fail. */
const FILES: Record<string, { source: string; failed: string[] }> = {
  expectations: {
    source: `
      it('holds', () => expect(1).toBe(1));
      it('does not hold', () => expect(1).toBe(2));
      it('forgets its assertion', () => expect.hasAssertions());
      it.each([1, 2])('is one: %i', (n) => expect(n).toBe(1));`,
    failed: ['does not hold', 'forgets its assertion', 'is one: 2'],
  },
  hooks: {
    source: `
      describe('before', () => { beforeAll(() => { throw new Error('before'); }); it('never runs', () => {}); });
      describe('after', () => { afterAll(() => { throw new Error('after all'); }); it('has run', () => {}); });`,
    failed: ['before never runs'],
  },
  hang: { source: `it('never ends', () => new Promise(() => {}), 50);`, failed: ['never ends'] },
  unawaited: {
    source: `
      const later = () => new Promise((done) => setTimeout(done, 50));
      it('rejects', async () => { Promise.reject(new Error('rejected')); await later(); });
      it('throws', async () => { setImmediate(() => { throw new Error('thrown'); }); await later(); });`,
    failed: ['rejects', 'throws'],
  },
  missing: {
    source: `
      describe.skip('a group (skipped: no redis)', () => { it('one', () => {}); it('two', () => {}); });
      it.skip('a test (skipped: no curl)', () => {});
      it('has run', () => {});`,
    failed: [],
  },
  broken: { source: `throw new Error('cannot be loaded');`, failed: [] },
  changes: {
    source: `
      jest.spyOn(Math, 'max').mockReturnValue(-1);
      jest.useFakeTimers();
      process.env.LEFT = 'behind';
      it('sees them', () => expect([Math.max(1, 2), process.env.LEFT]).toEqual([-1, 'behind']));`,
    failed: [],
  },
  'changes-next': {
    source: `
      it('starts clean', async () => {
        await new Promise((done) => setTimeout(done));
        expect([Math.max(1, 2), process.env.LEFT]).toEqual([2, undefined]);
      });`,
    failed: [],
  },
};

interface Report {
  success: boolean;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

describe('a test file that Node itself loads', () => {
  const root = mkdtempSync(join(tmpdir(), 'guias-runner-'));
  let report: Report;
  let printed: string;

  beforeAll(() => {
    for (const [name, { source }] of Object.entries(FILES))
      writeFileSync(join(root, `${name}.spec.mjs`), source);
    const config = {
      rootDir: root,
      testMatch: ['**/*.spec.mjs'],
      testRunner: resolve(import.meta.dirname, 'support/native-runner.mjs'),
      reporters: [resolve(import.meta.dirname, 'support/skipped.reporter.mjs')],
      transform: {},
    };
    const jest = resolve(import.meta.dirname, '../node_modules/jest/bin/jest.js');
    const file = join(root, 'report.json');
    const { stdout } = spawnSync(
      process.execPath,
      [
        ...[jest, '--config', JSON.stringify(config), '--maxWorkers', '1', '--no-watchman'],
        ...['--json', '--outputFile', file],
      ],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    printed = stdout;
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const resultOf = (name: string) =>
    report.testResults.find((result) => result.name.endsWith(`/${name}.spec.mjs`))!;

  it.each(Object.entries(FILES))('reports exactly the tests that fail: %s', (name, { failed }) => {
    const failures = resultOf(name).assertionResults.filter(({ status }) => status === 'failed');
    expect(failures.map(({ fullName }) => fullName)).toEqual(failed);
    for (const { failureMessages } of failures) expect(failureMessages.join()).not.toBe('');
  });

  it.each([
    ['broken', 'cannot be loaded'],
    ['hooks', 'after all'],
  ])('fails as a whole on an error outside its tests: %s', (name, message) => {
    expect(resultOf(name)).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
    expect(report.success).toBe(false);
  });

  it('is printed with its reason, once for each group, where it is skipped', () => {
    expect(printed).toContain(
      [
        'Skipped tests:',
        '   2  missing.spec.mjs: a group (skipped: no redis)',
        '   1  missing.spec.mjs: a test (skipped: no curl)',
        '',
      ].join('\n'),
    );
  });
});
