import { StartupError } from '../errors/startup-error.js';
import { connectionsOf, processCount } from './process-count.js';

const REDIS = { url: 'redis://redis:6379' };
const DATABASE = 'postgres://db/guias';

describe('the number of processes', () => {
  it.each([
    ['all', undefined, DATABASE, 69],
    ['worker', undefined, DATABASE, 69],
    ['api', undefined, DATABASE, 24],
    ['all', REDIS, DATABASE, 10],
    ['api', undefined, undefined, 25],
  ] as const)(
    'counts the connections of ROLE=%s with Redis %j and DATABASE_URL %s: %d',
    (role, redis, databaseUrl, each) => expect(connectionsOf({ role, redis, databaseUrl })).toBe(each),
  );

  const api = { role: 'api', redis: undefined, databaseUrl: DATABASE } as const;
  const countOf = (count: number, isAuto: boolean, allowed: number) =>
    processCount({ ...api, processes: { count, isAuto } }, allowed);

  it.each([
    ['is the one asked for where its connections fit', 4, false, 4 * 24 + 5, 4],
    ['is with auto the number of cores where their connections fit', 4, true, 4 * 24 + 5, 4],
    ['is with auto what fits', 4, true, 4 * 24 + 4, 3],
    ['is with auto at least one', 4, true, 20, 1],
    ['may be one wherever a single process may start', 1, false, 20, 1],
  ])('%s', (_, count, isAuto, allowed, expected) => expect(countOf(count, isAuto, allowed)).toBe(expected));

  it('is refused where its connections do not fit, with what to change', () => {
    expect(() => countOf(4, false, 100)).toThrow(StartupError);
    expect(() => countOf(4, false, 100)).toThrow(
      'WEB_CONCURRENCY: 4 processes open up to 96 connections, and PostgreSQL allows 100; ' +
        'set it to 3 or less, raise max_connections, or set REDIS_URL, with which a process opens 10',
    );
  });
});
