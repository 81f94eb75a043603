import { runOrdeal, UNBROKEN } from './ordeal.js';

/**
 * Nothing is lost with the queues in PostgreSQL. Small by default; at full size:
 *
 *     TORTURE_GUIDES=2000 TORTURE_KILLS=20 npx jest --config test/jest.config.mjs test/torture/postgres
 *
 * `ordeal.ts` lists the other settings. A failure shows the seed of its plan.
 */
describe('the service on PostgreSQL alone', () => {
  it('keeps every guide and sends every message while its processes are killed', async () => {
    expect(await runOrdeal()).toEqual(UNBROKEN);
  }, 600_000);
});
