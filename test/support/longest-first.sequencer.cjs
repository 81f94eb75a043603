const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const durations = require('./durations.json');

/** Starts the longest test files first, by the measured seconds in durations.json; new files before all others. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = ({ path, context }) => durations[relative(context.config.rootDir, path)] ?? Infinity;
    return [...tests].sort(
      (one, other) => compare(seconds(other), seconds(one)) || compare(one.path, other.path),
    );
  }
};

function compare(one, other) {
  return one < other ? -1 : Number(one > other);
}
