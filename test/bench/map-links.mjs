// Pasted links that one core parses per second:
//
//   npm run bench -- --only map-links [--seconds 3] [--json]
//
// The inputs are those of test/data/map-links.json, each once per round: links, texts around links,
// coordinates, attacks. `slowest` is the input that takes longest. Each input counts with the best of 20
// tries, which excludes pauses of the machine.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readMapLinkIn } from '../../dist/src/locations/map-link.js';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});

const path = new URL('../data/map-links.json', import.meta.url);
const inputs = JSON.parse(readFileSync(path, 'utf8')).map(({ input }) => input);

/** Runs rounds for `ms` milliseconds. */
function run(ms) {
  const start = performance.now();
  let rounds = 0;
  let found = 0;
  for (; performance.now() - start < ms; rounds += 1) {
    for (const input of inputs) if (readMapLinkIn(input).kind === 'coordinates') found += 1;
  }
  return { rounds, found, ms: performance.now() - start };
}

/** Milliseconds of the slowest input. */
function slowest() {
  const times = inputs.map((input) => {
    let best = Infinity;
    for (let i = 0; i < 20; i += 1) {
      const start = performance.now();
      readMapLinkIn(input);
      best = Math.min(best, performance.now() - start);
    }
    return best;
  });
  return Math.max(...times);
}

run(500);
const { rounds, found, ms } = run(Number(options.seconds) * 1_000);
const result = {
  links: inputs.length,
  with_coordinates: found / rounds,
  links_per_second: Math.round((rounds * inputs.length * 1_000) / ms),
  slowest_ms: Number(slowest().toFixed(3)),
};
console.log(
  options.json
    ? JSON.stringify(result)
    : `${result.links_per_second.toLocaleString('en')} links/s, slowest ${result.slowest_ms} ms ` +
        `(${result.links} inputs, ${result.with_coordinates} of them with coordinates)`,
);
