// Summarises the figures of rounds and prints them as tables.

/** What a round measures. */
const FIGURES = ['rate', 'p50', 'p99', 'node', 'postgres'];

/** Median, smallest and largest. */
function spread(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}

const spreads = (valueOf) => Object.fromEntries(FIGURES.map((figure) => [figure, spread(valueOf(figure))]));

/** Both sides of a scenario, and their ratios, which are computed within a round. */
export function summarise({ rows, against, service, reference }) {
  return {
    rows,
    against,
    service: spreads((figure) => service.map((round) => round[figure])),
    reference: spreads((figure) => reference.map((round) => round[figure])),
    ratio: spreads((figure) => service.map((round, i) => round[figure] / reference[i][figure])),
    generator: spread([...service, ...reference].map(({ generator }) => generator)).median,
  };
}

/** Ratio of the largest size to the smallest, on each side. */
export function growth(results) {
  const [smallest, largest] = [results[0], results.at(-1)];
  const of = (side) =>
    spreads((figure) => largest[side].map((round, i) => round[figure] / smallest[side][i][figure]));
  return { from: smallest.rows, to: largest.rows, service: of('service'), reference: of('reference') };
}

export function printSize(rows, scenarios) {
  console.log(`\n${rows.toLocaleString('en')} rows`);
  const lines = scenarios.map(([name, { against, service, reference, ratio }]) => [
    name,
    whole(service.rate.median),
    both(service.p50, reference.p50, 1),
    both(service.p99, reference.p99, 1),
    both(service.node, reference.node, 3),
    both(service.postgres, reference.postgres, 3),
    against,
    times(ratio.rate),
    times(ratio.p99),
    times(ratio.node),
    times(ratio.postgres),
  ]);
  printTable(
    [
      'scenario',
      'req/s',
      'p50 ms / its',
      'p99 ms / its',
      'Node CPU ms / its',
      'PG CPU ms / its',
      'against',
      '× req/s',
      '× p99',
      '× Node',
      '× PG',
    ],
    lines,
  );
}

export function printGrowth(scenarios) {
  const { from, to } = scenarios[0][1];
  console.log(`\n${to.toLocaleString('en')} against ${from.toLocaleString('en')} rows`);
  const lines = scenarios.map(([name, { service, reference }]) => [
    name,
    times(service.p99),
    times(service.postgres),
    times(service.rate),
    times(reference.p99),
    times(reference.postgres),
  ]);
  printTable(['scenario', '× p99', '× PG', '× req/s', 'its × p99', 'its × PG'], lines);
}

/** The first column is aligned to the left, the others to the right. */
export function printTable(head, lines) {
  const all = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const pad = (cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column]));
  for (const line of [head, widths.map((width) => '-'.repeat(width)), ...lines])
    console.log(`| ${line.map(pad).join(' | ')} |`);
}

export const fixed = (number, digits) => (Number.isFinite(number) ? number.toFixed(digits) : '-');

const whole = (number) => Math.round(number).toLocaleString('en');
const both = (one, other, digits) => `${fixed(one.median, digits)} / ${fixed(other.median, digits)}`;
const times = ({ median, min, max }) => `${fixed(median, 2)} (${fixed(min, 2)}–${fixed(max, 2)})`;
