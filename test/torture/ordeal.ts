import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { TestRedis } from '../support/redis.js';
import { LIBFAKETIME } from '../support/stepped-clock.js';
import type { Verdict } from './checker.js';
import { torture, type Ordeal } from './torture.js';

const numberOf = (name: string, byDefault: number) => Number(process.env[name] ?? byDefault);

/** Violations of one property that are shown. */
const SHOWN = 5;

/**
 * Runs the service through an ordeal. Its size comes from the environment, which `npm run torture` sets, and is small by
 * default:
 *
 * - `TORTURE_GUIDES` (80) and `TORTURE_CLIENTS` (8), the requests at a time
 * - `TORTURE_KILLS` (2) and `TORTURE_FREEZES` (1) of API and worker, `TORTURE_CRASHES` (1) of PostgreSQL
 * - `TORTURE_STEPS` (1) of the clock of API or worker; none where libfaketime is missing
 * - `TORTURE_OUTAGES` (1) in which Redis is away or refuses writes, and `TORTURE_STORMS` (1) of the network
 * - `TORTURE_OUTAGE_S` (2), of each freeze, step, outage and storm
 * - `TORTURE_SEED`: repeats a plan; the timing still differs from run to run
 * - `TORTURE_REPORT`: a file to which each run appends one line of JSON
 *
 * @returns the seed and the violations, to be compared with `UNBROKEN`.
 */
export async function runOrdeal(redis?: TestRedis): Promise<{ seed: number; violations: string[] }> {
  const ordeal: Ordeal = {
    seed: numberOf('TORTURE_SEED', randomInt(2 ** 32)),
    guides: numberOf('TORTURE_GUIDES', 80),
    clients: numberOf('TORTURE_CLIENTS', 8),
    kills: numberOf('TORTURE_KILLS', 2),
    crashes: numberOf('TORTURE_CRASHES', 1),
    freezes: numberOf('TORTURE_FREEZES', 1),
    steps: stepsOf(LIBFAKETIME),
    outages: numberOf('TORTURE_OUTAGES', 1),
    storms: numberOf('TORTURE_STORMS', 1),
    outageMs: numberOf('TORTURE_OUTAGE_S', 2) * 1_000,
    redis,
  };
  const { verdicts, figures, faults } = await torture(ordeal);
  const file = process.env.TORTURE_REPORT;
  const report = { figures, faults, verdicts: verdicts.map(shortened) };
  if (file) appendFileSync(file, `${JSON.stringify(report)}\n`);
  return { seed: ordeal.seed, violations: verdicts.flatMap((verdict) => shortened(verdict).violations) };
}

export const UNBROKEN = { seed: expect.any(Number), violations: [] };

/** ms; a hang limit. */
export const ORDEAL_LIMIT_MS = numberOf('TORTURE_MINUTES', 10) * 60_000;

function shortened({ violations, ...verdict }: Verdict): Verdict & { failures: number } {
  const { length } = violations;
  const rest = length > SHOWN ? [`… and ${length - SHOWN} more like it`] : [];
  return { ...verdict, failures: length, violations: [...violations.slice(0, SHOWN), ...rest] };
}

/** @throws Error in CI, where nothing is left out. */
function stepsOf(library: string | undefined): number {
  if (library !== undefined) return numberOf('TORTURE_STEPS', 1);
  if (process.env.CI) throw new Error('no libfaketime: install faketime');
  return 0;
}
