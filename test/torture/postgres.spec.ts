import { ORDEAL_LIMIT_MS, runOrdeal, UNBROKEN } from './ordeal.js';

/** Nothing is lost with the queues in PostgreSQL, which is stopped at once, too. A failure shows the seed of its plan. */
describe('the service on PostgreSQL alone', () => {
  it(
    'keeps every guide, message and webhook while its processes and its database are killed and frozen',
    async () => {
      expect(await runOrdeal()).toEqual(UNBROKEN);
    },
    ORDEAL_LIMIT_MS,
  );
});
