import { readRedisAddress } from './redis-address.js';

const ONE = { sentinels: [{ host: 'one', port: 26_379 }], name: 'guias', db: 0 };
const NODE = { nodes: [{ host: 'one', port: 6_379 }], redisOptions: {} };

describe('REDIS_URL', () => {
  it.each(['redis://localhost:6379', 'rediss://user:pa%20ss@host:6380/1', 'REDIS://:a,b@[::1]:6379'])(
    'names one server by its URL: %s',
    (url) => expect(readRedisAddress(url)).toEqual({ url }),
  );

  it.each([
    ['redis+sentinel://one/guias', ONE],
    ['rediss+sentinel://one/guias', { ...ONE, tls: {} }],
    ['redis+sentinel://one/guias/', ONE],
    ['REDIS+Sentinel://one/guias', ONE],
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
        db: 0,
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
    ['redis+cluster://one', NODE],
    ['REDIS+Cluster://one/', NODE],
    ['redis+cluster://one/0', NODE],
    ['rediss+cluster://one', { ...NODE, redisOptions: { tls: {} } }],
    ['redis+cluster://:se%2Fcret@one', { ...NODE, redisOptions: { password: 'se/cret' } }],
    [
      'rediss+cluster://user:se,cret@one:7001,two,[::1]:7003',
      {
        nodes: [
          { host: 'one', port: 7001 },
          { host: 'two', port: 6_379 },
          { host: '::1', port: 7003 },
        ],
        redisOptions: { username: 'user', password: 'se,cret', tls: {} },
      },
    ],
  ])('names nodes of a cluster, and what all of them ask for: %s', (url, address) =>
    expect(readRedisAddress(url)).toEqual(address),
  );

  it.each([
    ...['', 'redis', 'redis://', 'http://one', 'localhost:6379', 'redis+other://one', 'redis+cluster:one'],
    ...['redis+cluster://', 'redis+cluster:///0', 'redis+sentinel:///guias', 'redis://one:port'],
    ...['redis://one#two', 'redis://one:6379,two:6379', 'redis+sentinel://one', 'redis+sentinel://one/'],
    ...['redis+sentinel://one,,two/guias', 'redis+sentinel://one,/guias'],
    ...['redis+sentinel://one:port/guias', 'redis+sentinel://one:99999/guias'],
    ...['redis+sentinel://one?a=b/guias', 'redis+sentinel://one/guias/three'],
    ...['redis+sentinel://one/guias/3/4', 'redis+sentinel://one/gu%ias'],
    ...['redis+sentinel://:se%cret@one/guias', 'redis+cluster://user:secret@', 'redis+cluster://one,'],
    ...['redis+cluster://one, two', 'redis+cluster://one:99999', 'redis+cluster://one?family=6'],
    ...['redis+cluster://one#two', 'redis+cluster://one,redis+cluster://two', 'redis+cluster://one/1'],
    ...['redis+cluster://one/guias', 'redis+cluster://one/0/0', 'redis+cluster://one/?family=6'],
    'redis+cluster://:se%cret@one',
  ])('is refused: %s', (url) => expect(readRedisAddress(url)).toBeUndefined());
});
