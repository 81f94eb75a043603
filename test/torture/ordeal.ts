import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { TestRedis } from '../support/redis.js';
import { torture, type Ordeal } from './torture.js';

const numberOf = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);

/**
 * A run of the size that the environment asks for, small unless it does:
 *
 * - `TORTURE_GUIDES` (300), `TORTURE_KILLS` (5), `TORTURE_OUTAGE_S` (3, each of two; longer than a producer waits)
 * - `TORTURE_SEED`: repeats a plan; the machine's own timing is another each time
 * - `TORTURE_REPORT`: a file that gets one line of JSON about each run
 *
 * At full size:
 *
 *     TORTURE_GUIDES=2000 TORTURE_KILLS=20 TORTURE_OUTAGE_S=10 npx jest --config test/jest.config.mjs test/torture
 *
 * @returns the seed and what was broken, to be compared with `UNBROKEN`.
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
