import { connectionsOf } from './connections.js';

const REDIS = { url: 'redis://redis:6379' };
const DATABASE = 'postgres://db/guias';

describe('the connections to PostgreSQL that a process may open', () => {
  it.each([
    ['all', undefined, DATABASE, 65],
    ['worker', undefined, DATABASE, 65],
    ['api', undefined, DATABASE, 14],
    ['all', REDIS, DATABASE, 10],
    ['api', undefined, undefined, 15],
  ] as const)('are with ROLE=%s, Redis %j and DATABASE_URL %s: %d', (role, redis, databaseUrl, count) =>
    expect(connectionsOf({ role, redis, databaseUrl })).toBe(count),
  );
});
