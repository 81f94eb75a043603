import { readRedisAddress } from './redis-address.js';

const ONE = { sentinels: [{ host: 'one', port: 26_379 }], name: 'guias' };
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

  const FORMS = /^must be a URL that starts with redis:.*redis\+sentinel:.*redis\+cluster:/;
  const HOSTS = /^must name its servers as HOST or HOST:PORT, /;
  const MASTER = /^must name the master .*\/MASTER$/;
  const AFTER_MASTER = /^must have nothing after the master but .*\/MASTER\/0$/;
  const AFTER_NODES = /^must end after the last node: .*; a Redis Cluster has database 0 alone$/;
  const ESCAPE = /^must have user, password and names percent-encoded: a % is %25$/;

  it.each([
    ['', FORMS],
    ['redis', FORMS],
    ['redis://', FORMS],
    ['http://one', FORMS],
    ['localhost:6379', FORMS],
    ['redis+other://one', FORMS],
    ['redis+cluster:one', FORMS],
    ['redis+cluster://', FORMS],
    ['redis+cluster:///0', FORMS],
    ['redis+sentinel:///guias', FORMS],
    ['redis://one:port', FORMS],
    ['redis://one:6379,two:6379', /^must name one server; .*Sentinels .* or nodes of a cluster /],
    ['redis+sentinel://one', MASTER],
    ['redis+sentinel://one/', MASTER],
    ['redis+sentinel://one,,two/guias', HOSTS],
    ['redis+sentinel://one,/guias', HOSTS],
    ['redis+sentinel://one:port/guias', HOSTS],
    ['redis+sentinel://one:99999/guias', HOSTS],
    ['redis+sentinel://one?a=b/guias', HOSTS],
    ['redis+sentinel://one/guias/three', AFTER_MASTER],
    ['redis+sentinel://one/guias/3/4', AFTER_MASTER],
    ['redis+sentinel://one/gu%ias', ESCAPE],
    ['redis+sentinel://:se%cret@one/guias', ESCAPE],
    ['redis+cluster://user:secret@', HOSTS],
    ['redis+cluster://one,', HOSTS],
    ['redis+cluster://one, two', HOSTS],
    ['redis+cluster://one:99999', HOSTS],
    ['redis+cluster://one?family=6', HOSTS],
    ['redis+cluster://one#two', HOSTS],
    ['redis+cluster://one,redis+cluster://two', AFTER_NODES],
    ['redis+cluster://one/1', AFTER_NODES],
    ['redis+cluster://one/guias', AFTER_NODES],
    ['redis+cluster://one/0/0', AFTER_NODES],
    ['redis+cluster://one/?family=6', AFTER_NODES],
    ['redis+cluster://:se%cret@one', ESCAPE],
  ])('is refused with what to mend: %s', (url, fault) =>
    expect(readRedisAddress(url)).toEqual({ fault: expect.stringMatching(fault) }),
  );

  it('never repeats the value, which may hold a password', () => {
    for (const url of [
      'redis+cluster://u:geheim@h/3',
      'redis://u:geheim@h,i',
      'redis+sentinel://u:geheim%@h/m',
    ])
      expect(JSON.stringify(readRedisAddress(url))).not.toMatch(/geheim|@/);
  });
});
