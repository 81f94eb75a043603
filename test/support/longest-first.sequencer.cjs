const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const durations = require('./durations.json');

/**
 * Starts the longest test files of each project first, by the measured seconds in durations.json; new files before all
 * others. Projects that run together take turns, so that both end at about the same time: the tests of one mostly wait
 * for other processes, those of the other compute.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const projects = new Map();
    for (const test of tests) {
      const { rootDir, displayName } = test.context.config;
      const seconds = durations[relative(rootDir, test.path)] ?? Infinity;
      const project = projects.get(displayName?.name) ?? [];
      projects.set(displayName?.name, project);
      project.push({ test, seconds });
    }
    return [...projects.values()]
      .flatMap(withStarts)
      .sort((one, other) => compare(one.start, other.start) || compare(one.test.path, other.test.path))
      .map(({ test }) => test);
  }
};

/** The files of a project, longest first, each with the part of the project's known seconds that comes before it. */
function withStarts(files) {
  files.sort((one, other) => compare(other.seconds, one.seconds) || compare(one.test.path, other.test.path));
  const known = files.filter(({ seconds }) => seconds < Infinity);
  const total = known.reduce((sum, { seconds }) => sum + seconds, 0);
  let before = 0;
  return files.map(({ test, seconds }) => {
    if (seconds === Infinity) return { test, start: -1 };
    const start = before / total;
    before += seconds;
    return { test, start };
  });
}

function compare(one, other) {
  return one < other ? -1 : Number(one > other);
}
