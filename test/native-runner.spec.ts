import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

  beforeAll(() => {
    for (const [name, { source }] of Object.entries(FILES))
      writeFileSync(join(root, `${name}.spec.mjs`), source);
    const project = {
      rootDir: root,
      testMatch: ['**/*.spec.mjs'],
      testRunner: resolve(import.meta.dirname, 'support/native-runner.mjs'),
      transform: {},
    };
    const config = { projects: ['one', 'other'].map((displayName) => ({ ...project, displayName })) };
    const jest = resolve(import.meta.dirname, '../node_modules/jest/bin/jest.js');
    const { stdout } = spawnSync(
      process.execPath,
      [jest, '--config', JSON.stringify(config), '--json', '--maxWorkers', '1', '--no-watchman'],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    report = JSON.parse(stdout) as Report;
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const inBothProjects = (name: string) => {
    const results = report.testResults.filter((result) => result.name.endsWith(`/${name}.spec.mjs`));
    expect(results).toHaveLength(2);
    return results;
  };

  it.each(Object.entries(FILES))('reports exactly the tests that fail: %s', (name, { failed }) => {
    for (const { assertionResults } of inBothProjects(name)) {
      const failures = assertionResults.filter(({ status }) => status === 'failed');
      expect(failures.map(({ fullName }) => fullName)).toEqual(failed);
      for (const { failureMessages } of failures) expect(failureMessages.join()).not.toBe('');
    }
  });

  it.each([
    ['broken', 'cannot be loaded'],
    ['hooks', 'after all'],
  ])('fails as a whole on an error outside its tests: %s', (name, message) => {
    for (const result of inBothProjects(name))
      expect(result).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
    expect(report.success).toBe(false);
  });
});
