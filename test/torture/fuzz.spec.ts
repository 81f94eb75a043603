import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RelayService } from '../../src/platform/events/relay.service.js';
import { DeliveryLimits } from '../../src/webhooks/deliveries/delivery-limits.js';
import { ROOT } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { FuzzRequests } from './fuzz-requests.js';
import { randomOf } from './plan.js';

/** FUZZ_REQUESTS and FUZZ_SEED change a run. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 750);
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 32));

/** At a time. */
const CLIENTS = 16;

/** Requests that fit, and such that do not, are among those drawn: it goes on until each of these was answered. */
const TO_BE_MET = [200, 201, 400, 404, 409];

/** Requests drawn from openapi.json, all of whose answers are compared with it. `npm run torture -- fuzz` sends more. */
describe('whatever is sent to the API', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
    await test.app.get(RelayService).beforeApplicationShutdown();
    // Nobody delivers here.
    test.app.get(DeliveryLimits).testWaitMs = 1;
  });
  // Fails where an answer was not as documented.
  afterAll(() => test.close());

  it(
    'is answered as documented, and never with an error of the server',
    async () => {
      const [merchant, operator] = [await test.merchant(), await test.operator()];
      const keys = {
        merchant: merchant.key,
        test: (await test.tester(merchant.id)).key,
        operator: operator.key,
      };
      const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as Record<string, any>;
      const requests = new FuzzRequests(document, randomOf(SEED), keys);
      const statuses: Record<number, number> = {};
      const errors: unknown[] = [];
      const isMet = (status: number) => statuses[status] !== undefined;
      let sent = 0;
      const isMore = () => sent < REQUESTS || (sent < 20 * REQUESTS && !TO_BE_MET.every(isMet));
      const client = async () => {
        while (isMore() && errors.length < 20) {
          sent++;
          const request = requests.next();
          const { path, type, headers, body, method } = request;
          const { status, text } = await test.request(path, {
            method: method.toUpperCase(),
            headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
            body,
          });
          statuses[status] = (statuses[status] ?? 0) + 1;
          requests.learn(text);
          if (status >= 500)
            errors.push({ ...request, body: request.body?.toString().slice(0, 2_000), status, text });
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      expect({ seed: SEED, errors }).toEqual({ seed: SEED, errors: [] });
      expect(TO_BE_MET.filter(isMet)).toEqual(TO_BE_MET);
      if (process.env.FUZZ_REQUESTS) console.log(statuses);
    },
    120_000 + REQUESTS * 50,
  );
});
