// Long forms of tests whose short form CI runs:
//
//   npm run torture -- walks | fuzz | money | mails | dia | pilotos | primer-dia | primer-mensaje | ruta | clients | endpoints | failover | restarts | properties [--size N] [--minutes 60]
//
// `--size` is the number of walks, requests, rounds, guides, creates, changes or restarts, and the factor of the runs of property tests.
//
// Without a name, runs the service through faults and prints how each of its promises did:
//
//   npm run torture -- [--store redis|postgres] [--guides 2000] [--clients 64] [--kills 20] [--crashes 5]
//                      [--freezes 5] [--steps 5] [--outages 5] [--storms 15] [--outage 10] [--minutes 60] [--seed N]
//
// Kills are SIGKILL to API and worker in turn, crashes immediate stops of PostgreSQL, freezes SIGSTOP of API and worker;
// in steps the clock of one of them is a minute ahead or behind (none without Debian's faketime). In outages Redis is frozen,
// gone, full or read-only; in storms the network to PostgreSQL, Redis or the provider delays, drips, cuts, or forgets one end of
// each connection. All but kills and crashes last `--outage` seconds. With Redis there are flushes,
// too. A seed repeats the plan of faults, not their timing. `--minutes` ends a run that hangs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const text = (value) => ({ type: 'string', default: value });

/** Files, the variable that makes them long, how long by default, and what else is longer. */
const LONG_FORMS = {
  walks: [['test/torture/walks-under-load'], 'WALKS', 1_000],
  fuzz: [['test/torture/fuzz'], 'FUZZ_REQUESTS', 100_000],
  money: [['test/torture/money'], 'MONEY_ROUNDS', 2_000, { MONEY_KILLS: process.env.MONEY_KILLS ?? 50 }],
  mails: [['test/torture/mails'], 'MAIL_ROUNDS', 2_000, { MAIL_KILLS: process.env.MAIL_KILLS ?? 50 }],
  dia: [['test/torture/support-day'], 'DIA_GUIAS', 2_600, { DIA_CAIDA_S: process.env.DIA_CAIDA_S ?? 1_200 }],
  pilotos: [['test/torture/pilotos'], 'PILOTOS_GUIAS', 6_000, { PILOTOS: 40, PILOTOS_KILLS: 5 }],
  'primer-dia': [['test/smoke/docs-commands'], 'PRIMER_DIA', 1],
  'primer-mensaje': [['test/torture/first-message'], 'PRIMER_MENSAJE', 1],
  ruta: [['test/browser/ruta'], 'RUTA_GUIAS', 150],
  clients: [['test/torture/flaky-clients'], 'CLIENT_CREATES', 1_000],
  endpoints: [['test/hostile/webhook-endpoints'], 'HOSTILE_CHANGES', 1_000],
  failover: [['test/hostile/failover'], 'FAILOVER_ROUNDS', 20],
  restarts: [['test/smoke/haproxy'], 'ROLLING_RESTARTS', 100],
  properties: [
    [
      '-properties',
      'is-valid',
      'label-layout',
      'list-guias-model',
      'create-',
      'guia-races',
      'list-walk',
      'e2e/caja',
      'e2e/liquidaciones',
    ],
    'PROPERTY_RUNS',
    20,
  ],
};

const {
  values: { size, ...options },
  positionals: [form],
} = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string' },
    store: text('postgres'),
    guides: text('2000'),
    clients: text('64'),
    kills: text('20'),
    crashes: text('5'),
    freezes: text('5'),
    steps: text('5'),
    outages: text('5'),
    storms: text('15'),
    outage: text('10'),
    minutes: text('60'),
    seed: { type: 'string' },
  },
});
process.exitCode = form === undefined ? await runFaults() : await runLongForm();

/** @returns the exit code. */
function runLongForm() {
  if (!(form in LONG_FORMS)) throw new Error(`${form}: must be one of ${Object.keys(LONG_FORMS).join(', ')}`);
  const [files, variable, usual, others] = LONG_FORMS[form];
  return runJest(files, { ...others, [variable]: size ?? usual });
}

/** @returns the exit code. */
async function runFaults() {
  const { store, outage, ...settings } = options;
  const env = Object.fromEntries(
    Object.entries({ ...settings, OUTAGE_S: outage })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [`TORTURE_${name.toUpperCase()}`, value]),
  );
  const folder = mkdtempSync(join(tmpdir(), 'guias-torture-'));
  const report = join(folder, 'report.jsonl');
  try {
    const code = await runJest([`test/torture/${store}`], { ...env, TORTURE_REPORT: report });
    for (const line of readFileSync(report, 'utf8').trim().split('\n')) print(JSON.parse(line));
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runJest(files, env) {
  const limit = `--testTimeout=${options.minutes * 60_000}`;
  const run = spawn('npx', ['jest', '--config', 'test/jest.config.mjs', limit, '--', ...files], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  const [code] = await once(run, 'exit');
  return code;
}

/** With no failure in n trials, the rate of failures is below 3/n at 95 % confidence (the rule of three). */
function print({ figures, faults, verdicts }) {
  console.log(`\n${JSON.stringify(figures)}\n`);
  console.log(
    '| fault | times | guides acknowledged meanwhile | requests refused |\n| --- | ---: | ---: | ---: |',
  );
  for (const { fault, times, acknowledged, refused } of faults)
    console.log(`| ${fault} | ${times} | ${acknowledged} | ${refused} |`);
  console.log();
  console.log('| property | trials | failures | rate below |\n| --- | ---: | ---: | ---: |');
  for (const { property, trials, failures, violations } of verdicts) {
    const bound = failures === 0 && trials > 0 ? (3 / trials).toExponential(0) : '';
    console.log(`| ${property} | ${trials} | ${failures} | ${bound} |`);
    for (const violation of violations) console.log(`|   ${violation} | | | |`);
  }
}
