import { relative } from 'node:path';

const SHOWN = 10;

/** Prints the files that took longest, with their seconds. */
export default class SlowestReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    if (testResults.length < 2) return;
    console.log('\nSlowest files:');
    const slowest = testResults.toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime).slice(0, SHOWN);
    for (const { testFilePath, perfStats } of slowest) {
      const seconds = (perfStats.runtime / 1_000).toFixed(1).padStart(6);
      console.log(`${seconds} s  ${relative(this.rootDir, testFilePath)}`);
    }
  }
}
