import { readRedisAddress } from './redis-address.js';

const ONE = { sentinels: [{ host: 'one', port: 26_379 }], name: 'guias' };

describe('REDIS_URL', () => {
  it.each(['redis://localhost:6379', 'rediss://user:pa%20ss@host:6380/1', 'REDIS://[::1]:6379'])(
    'names one server by its URL: %s',
    (url) => expect(readRedisAddress(url)).toEqual({ url }),
  );

  it.each([
    ['redis+sentinel://one/guias', ONE],
    ['rediss+sentinel://one/guias', { ...ONE, tls: {} }],
    ['redis+sentinel://one/guias/', ONE],
    ['redis+sentinel://one/guias/3', { ...ONE, db: 3 }],
    ['redis+sentinel://:se%40cret@one/guias', { ...ONE, password: 'se@cret' }],
    ['redis+sentinel://user:se@cret@one/guias', { ...ONE, username: 'user', password: 'se@cret' }],
    [
      'redis+sentinel://one/guias?sentinelUsername=watch&sentinelPassword=other',
      { ...ONE, sentinelUsername: 'watch', sentinelPassword: 'other' },
    ],
    [
      'redis+sentinel://one:7001,two,[::1]:7003/guias',
      {
        name: 'guias',
        sentinels: [
          { host: 'one', port: 7001 },
          { host: 'two', port: 26_379 },
          { host: '::1', port: 7003 },
        ],
      },
    ],
  ])('names the Sentinels and the master they watch: %s', (url, address) =>
    expect(readRedisAddress(url)).toEqual(address),
  );

  it.each([
    '',
    'redis',
    'redis://',
    'http://one',
    'localhost:6379',
    'redis+sentinel://one',
    'redis+sentinel://one/',
    'redis+sentinel:///guias',
    'redis+sentinel://one,,two/guias',
    'redis+sentinel://one,/guias',
    'redis+sentinel://one:port/guias',
    'redis+sentinel://one:99999/guias',
    'redis+sentinel://one/guias/three',
    'redis+sentinel://one/guias/3/4',
    'redis+sentinel://one/gu%ias',
    'redis+cluster://one',
  ])('is refused where it names neither: %s', (url) => expect(readRedisAddress(url)).toBeUndefined());
});
