import { isDatabaseUrl } from './database-url.js';
import { readReplicaUrls } from './replica-urls.js';

describe('isDatabaseUrl', () => {
  it.each([
    ['postgres://u:p@h:1/d', true],
    ['postgres:///d?host=/run/postgresql', true],
    ['postgresql://u:a,b@[::1]:1/d?sslmode=require', true],
    ['postgres://a,b/d', false],
    ['postgres://u:a,b@c:1,d:2/e?target_session_attrs=read-write', false],
    ['postgres://u@a,/d', false],
    ['postgres://', false],
    ['postgres:guias', false],
  ])('is of %s: %s', (text, isOne) => expect(isDatabaseUrl(text)).toBe(isOne));
});

describe('readReplicaUrls', () => {
  const one = 'postgres://u:a,b@h:1/d';
  const other = 'postgresql://u@i/d?sslmode=require';

  it.each([`${one},${other}`, `${one} ${other}`, `${one} , ${other}`, `${one}\n${other}`])(
    'takes a list with any separator: %j',
    (text) => expect(readReplicaUrls(text)).toEqual([one, other]),
  );
});
