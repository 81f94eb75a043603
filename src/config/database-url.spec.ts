import { readDatabaseUrl } from './database-url.js';
import { readReplicaUrls } from './replica-urls.js';

describe('readDatabaseUrl', () => {
  it.each<[text: string, urls: string[]]>([
    ['postgres://u:p@h:1/d', ['postgres://u:p@h:1/d']],
    ['postgres:///d?host=/run/postgresql', ['postgres:///d?host=/run/postgresql']],
  ])('takes %s as it is', (text, urls) => {
    expect(readDatabaseUrl(text)).toEqual({ urls, isSearched: false });
  });

  it.each<[text: string, urls: string[]]>([
    ['postgres://a,b/d', ['postgres://a/d', 'postgres://b/d']],
    [
      'postgres://u:p@a:1,b:2/d?target_session_attrs=read-write',
      ['postgres://u:p@a:1/d', 'postgres://u:p@b:2/d'],
    ],
    [
      'postgresql://u:a%2Cb@[::1]:1,b/d?sslmode=require&target_session_attrs=primary',
      ['postgresql://u:a%2Cb@[::1]:1/d?sslmode=require', 'postgresql://u:a%2Cb@b/d?sslmode=require'],
    ],
    ['postgres://u@a/d?target_session_attrs=read-write', ['postgres://u@a/d']],
    ['postgres://u:a,b@c,d/e', ['postgres://u:a,b@c/e', 'postgres://u:a,b@d/e']],
  ])('names every server of %s', (text, urls) => {
    expect(readDatabaseUrl(text)).toEqual({ urls, isSearched: true });
  });
});

describe('readReplicaUrls', () => {
  const one = 'postgres://u:a,b@h:1/d';
  const other = 'postgresql://u@i/d?sslmode=require';

  it.each([`${one},${other}`, `${one} ${other}`, `${one} , ${other}`, `${one}\n${other}`])(
    'takes a list with any separator: %j',
    (text) => expect(readReplicaUrls(text)).toEqual([one, other]),
  );
});
