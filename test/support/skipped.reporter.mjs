import { relative } from 'node:path';

/** Prints the title of each skipped test or group of tests, which ends with the reason. */
export default class SkippedReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const counts = new Map();
    for (const { testFilePath, testResults: tests } of testResults)
      for (const title of tests.filter(({ status }) => status === 'pending').map(skippedTitle)) {
        // Left out by a pattern of titles.
        if (title === undefined) continue;
        const line = `${relative(this.rootDir, testFilePath)}: ${title}`;
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    if (counts.size > 0) console.log('\nSkipped tests:');
    for (const [line, count] of counts) console.log(`${String(count).padStart(4)}  ${line}`);
  }
}

/** As `skipping.ts` writes it. */
function skippedTitle({ ancestorTitles, title }) {
  const titles = [...ancestorTitles, title];
  const last = titles.findIndex((one) => /\(skipped: .*\)$/.test(one));
  return last === -1 ? undefined : titles.slice(0, last + 1).join(' › ');
}
