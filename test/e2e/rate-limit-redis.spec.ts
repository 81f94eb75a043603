import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { client, createTestApp, type TestApp } from '../support/test-app.js';
import { eventually } from '../support/eventually.js';

const GUIAS = '/api/v1/guias';
const LIMIT = 6;

describeWithRedis('the limit of a key with REDIS_URL', () => {
  let redis: TestRedis;
  let one: TestApp;
  let two: TestApp;

  beforeAll(async () => {
    redis = await startRedis();
    const env = { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: String(LIMIT) };
    one = await createTestApp({ env });
    two = await createTestApp({ env, database: one.database });
  });
  afterAll(async () => {
    await two.close();
    await one.close();
    await redis.stop();
  });

  /** One key's requests to both processes. */
  const newClients = async () => {
    const { key } = await one.merchant();
    return [one, two].map(({ request }) => client(request, key));
  };
  const leftOf = ({ headers }: { headers: Headers }) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];

  it('is shared by all processes', async () => {
    const clients = await newClients();
    const left: unknown[] = [];
    for (let n = 0; n < LIMIT; n++) left.push(leftOf(await clients[n % 2]!.get(GUIAS)));
    expect(left).toEqual(['5', '4', '3', '2', '1', '0']);
    for (const by of clients) expect((await by.get(GUIAS)).status).toBe(429);
  });

  it.each<[what: string, fail: () => unknown, mend: () => unknown]>([
    ['hangs', () => redis.pause(), () => redis.resume()],
    ['is gone', () => redis.kill(), () => redis.restart()],
  ])(
    'is counted per process while Redis %s, without rejecting anything, and shared again afterwards',
    async (_, fail, mend) => {
      await fail();
      try {
        const clients = await newClients();
        for (const by of clients) {
          const answers = [];
          for (let n = 0; n <= LIMIT; n++) answers.push((await by.get(GUIAS)).status);
          expect(answers).toEqual([...Array<number>(LIMIT).fill(200), 429]);
        }
      } finally {
        await mend();
      }
      await eventually(async () => {
        const clients = await newClients();
        const left = [leftOf(await clients[0]!.get(GUIAS)), leftOf(await clients[1]!.get(GUIAS))];
        expect(left).toEqual(['5', '4']);
      });
    },
  );
});
