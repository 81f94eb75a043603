// `npm run mutants`: what the tests do not see. Makes one mutant of `src` after the other in a copy of the repository, and runs
// the files that may see it; the first that fails has caught it. `-- --only webhooks --only cobros` takes the mutants whose
// file, text or guard has one of these words; `-- --all` runs the rest of the suite for a mutant that none of its files caught.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import setup from '../global-setup.mjs';
import teardown from '../global-teardown.mjs';
import { MUTANTS } from './mutants.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');

/** ms after which a run counts as a failure: a mutant may never end. */
const RUN_MS = 15 * 60_000;

/** Of the copy: one database server serves all runs. */
const CONFIG = `import config from './jest.config.mjs';
const own = ({ globalSetup: _, globalTeardown: __, ...project }) => project;
export default { ...config, projects: config.projects.filter(({ displayName }) => displayName === 'suite').map(own) };
`;

const { values: options } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [''] }, all: { type: 'boolean' } },
});
const chosen = MUTANTS.filter((mutant) => options.only.some((word) => JSON.stringify(mutant).includes(word)));

const faults = chosen.flatMap(faultsOf);
if (faults.length > 0) {
  console.error(`test/support/mutants/mutants.mjs no longer fits the sources:\n${faults.join('\n')}`);
  process.exit(1);
}

const copy = mkdtempSync(join(tmpdir(), 'guias-mutants-'));
process.chdir(ROOT);
try {
  await setup();
  makeCopy();
  const catches = new Map(chosen.map((mutant) => [mutant, tryMutant(mutant)]));
  // A file that fails without any mutant has caught none.
  const files = [...new Set([...catches.values()].filter(Boolean))];
  const broken = files.length > 0 ? failedAmong(files) : [];
  for (const file of broken) console.log(`${file} FAILS without a mutant: what it caught does not count`);
  const caught = [...catches.values()].filter((file) => file && !broken.includes(file));
  console.log(`${chosen.length} mutants, ${caught.length} caught`);
  process.exitCode = caught.length === chosen.length ? 0 : 1;
} finally {
  await teardown();
  rmSync(copy, { recursive: true });
}

function faultsOf({ file, before, after, guards }) {
  if (before === after || `${before}${after}`.includes('\n'))
    return [`${file}: no mutant of one line: ${before}`];
  const text = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';
  const times = text.split(before).length - 1;
  return [
    ...(times === 1 ? [] : [`${file}: the fragment stands there ${times} times, not once: ${before}`]),
    ...guards.filter((guard) => !existsSync(join(ROOT, guard))).map((guard) => `${guard}: no such file`),
  ];
}

function makeCopy() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' });
  for (const name of listed.split('\0').filter((one) => one !== '' && existsSync(one)))
    cpSync(name, join(copy, name));
  cpSync('dist', join(copy, 'dist'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'test/mutants.config.mjs'), CONFIG);
}

/** @returns the file that caught it; undefined if it is missed. */
function tryMutant({ file, before, after, guards }) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const began = Date.now();
  // Without its build, the source itself is run.
  rmSync(join(copy, 'dist', file.replace(/\.tsx?$/, '.js')), { force: true });
  writeFileSync(
    path,
    text.replace(before, () => after),
  );
  // One file at a time: the first mostly catches it.
  let by = guards.find((guard) => failedAmong([guard]).length > 0);
  if (by === undefined && options.all) [by] = failedAmong([]);
  writeFileSync(path, text);
  const seconds = Math.round((Date.now() - began) / 1_000);
  console.log(`${by ? `caught by ${by}` : 'MISSED'} (${seconds} s)\n  ${file}: ${before} → ${after}`);
  return by;
}

/** The first of these test files that fail in the copy, of all if none is named. */
function failedAmong(files) {
  const report = join(copy, 'results.json');
  rmSync(report, { force: true });
  const only = files.length > 0 ? ['--runTestsByPath', ...files] : ['--bail'];
  const args = ['--config', 'test/mutants.config.mjs', '--json', '--outputFile', report, '-w', '1', ...only];
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const { error, signal } = spawnSync(process.execPath, [jest, ...args], {
    ...{ cwd: copy, stdio: 'ignore', timeout: RUN_MS, killSignal: 'SIGKILL' },
  });
  if (error?.code === 'ETIMEDOUT') return files.length > 0 ? files : ['the suite, which did not end'];
  if (!existsSync(report)) throw new Error(`Jest left no results of ${files.join(' ')}: ${error ?? signal}`);
  const { testResults, numTotalTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  if (numTotalTestSuites === 0) throw new Error(`no tests in ${files.join(' ')}`);
  const failed = testResults.filter(({ status }) => status === 'failed');
  return failed.map(({ name }) => relative(copy, name));
}
