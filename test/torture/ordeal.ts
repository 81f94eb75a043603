import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { TestRedis } from '../support/redis.js';
import { torture, type Ordeal } from './torture.js';

const numberOf = (name: string, byDefault: number) => Number(process.env[name] ?? byDefault);

/**
 * Runs the test. Its size comes from the environment, and is small by default:
 *
 * - `TORTURE_GUIDES` (300), `TORTURE_KILLS` (5), `TORTURE_OUTAGE_S` (3, each of two; more than a producer waits)
 * - `TORTURE_SEED`: repeats a plan; the timing still differs from run to run
 * - `TORTURE_REPORT`: a file to which each run appends one line of JSON
 *
 * At full size:
 *
 *     TORTURE_GUIDES=2000 TORTURE_KILLS=20 TORTURE_OUTAGE_S=10 npx jest --config test/jest.config.mjs test/torture
 *
 * @returns the seed and the violations, to be compared with `UNBROKEN`.
 */
export async function runOrdeal(redis?: TestRedis): Promise<{ seed: number; violations: string[] }> {
  const ordeal: Ordeal = {
    seed: numberOf('TORTURE_SEED', randomInt(2 ** 32)),
    guides: numberOf('TORTURE_GUIDES', 300),
    kills: numberOf('TORTURE_KILLS', 5),
    outageMs: numberOf('TORTURE_OUTAGE_S', 3) * 1_000,
    redis,
  };
  const { violations, report } = await torture(ordeal);
  const file = process.env.TORTURE_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify({ ...report, violations })}\n`);
  return { seed: ordeal.seed, violations };
}

export const UNBROKEN = { seed: expect.any(Number), violations: [] };
