import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const RECORD = new URL('durations.json', import.meta.url);

/** Seconds that a new test file of the default suite may take on the machine that durations.json was measured on. */
const LIMIT_S = 20;

const SHOWN = 10;

/**
 * Prints the slowest test files. With CI=true the run fails when a file that is not in durations.json takes more than
 * 20 s, scaled by how much slower than recorded the known files of this run were. UPDATE_DURATIONS=1 writes the record.
 */
export default class DurationsReporter {
  #error;

  constructor(globalConfig) {
    this.rootDir = globalConfig.rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const files = testResults
      .filter(({ perfStats }) => perfStats.end > 0)
      .map(({ testFilePath, perfStats, displayName }) => ({
        file: relative(this.rootDir, testFilePath),
        seconds: (perfStats.end - perfStats.start) / 1_000,
        isDefault: displayName?.name === 'suite',
      }))
      .sort((one, other) => other.seconds - one.seconds);
    const shown = files.slice(0, SHOWN);
    console.log(['', 'Slowest test files:', ...shown.map(line)].join('\n'));

    const recorded = JSON.parse(readFileSync(RECORD, 'utf8'));
    if (process.env.UPDATE_DURATIONS) return this.#update(recorded, files);
    const known = files.filter(({ file }) => file in recorded);
    const slowness = Math.max(
      1,
      sum(known, ({ seconds }) => seconds) / sum(known, ({ file }) => recorded[file]) || 1,
    );
    const slow = files.filter(
      ({ file, seconds, isDefault }) => isDefault && !(file in recorded) && seconds > LIMIT_S * slowness,
    );
    if (process.env.CI === 'true' && slow.length > 0)
      this.#error = new Error(
        `New test files above ${LIMIT_S} s: ${slow.map(({ file }) => file).join(', ')}. Make them faster, or move them to the slow suite.`,
      );
  }

  #update(recorded, files) {
    for (const { file, seconds } of files) recorded[file] = Math.round(seconds * 10) / 10;
    const current = Object.entries(recorded).filter(([file]) => existsSync(join(this.rootDir, file)));
    current.sort(([, one], [, other]) => other - one);
    writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(current), null, 2)}\n`);
  }

  getLastError() {
    return this.#error;
  }
}

function line({ file, seconds }) {
  return `${seconds.toFixed(1).padStart(7)} s  ${file}`;
}

function sum(items, value) {
  return items.reduce((total, item) => total + value(item), 0);
}
