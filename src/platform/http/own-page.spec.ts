import type { FastifyRequest } from 'fastify';
import { isOwnPage } from './own-page.js';

const HOST = '127.0.0.1:3000';
const PUBLIC_URL = 'http://guias.example:8080';

describe('isOwnPage', () => {
  it.each<[what: string, headers: FastifyRequest['headers'], isOwn: boolean]>([
    ['the same origin', { 'sec-fetch-site': 'same-origin' }, true],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }, false],
    ['another site', { 'sec-fetch-site': 'cross-site' }, false],
    ['nowhere: typed by hand', { 'sec-fetch-site': 'none' }, false],
    ['another site, with our Origin', { 'sec-fetch-site': 'cross-site', origin: `http://${HOST}` }, false],
    ['another site, with that of PUBLIC_URL', { 'sec-fetch-site': 'cross-site', origin: PUBLIC_URL }, false],
    ['our Origin', { origin: `http://${HOST}` }, true],
    ['our Origin behind a proxy that ends TLS', { origin: `https://${HOST}` }, true],
    ['another Origin', { origin: 'https://evil.example' }, false],
    ['another port', { origin: 'http://127.0.0.1:1' }, false],
    ['a hidden Origin', { origin: 'null' }, false],
    [
      'another Origin, with our Referer',
      { origin: 'http://evil.example', referer: `http://${HOST}/` },
      false,
    ],
    ['PUBLIC_URL, whose proxy rewrites Host', { origin: PUBLIC_URL }, true],
    ['its Referer', { referer: `${PUBLIC_URL}/admin/queues` }, true],
    ['its host and another port', { origin: 'http://guias.example' }, false],
    ['its host and another scheme', { origin: 'https://guias.example:8080' }, false],
    ['a host that begins like it', { referer: `${PUBLIC_URL}.evil.example/` }, false],
    ['our Referer', { referer: `http://${HOST}/admin/queues` }, true],
    ['another Referer', { referer: `https://evil.example/${HOST}` }, false],
    ['no browser', {}, true],
  ])('of a request from %s', (_, headers, isOwn) => {
    expect(isOwnPage({ headers, host: HOST } as FastifyRequest, PUBLIC_URL)).toBe(isOwn);
  });

  it('compares hosts without regard to case, and needs no PUBLIC_URL', () => {
    const headers = { origin: 'http://tienda.example' };
    expect(isOwnPage({ headers, host: 'Tienda.Example' } as FastifyRequest, undefined)).toBe(true);
    expect(isOwnPage({ headers: { origin: 'x' }, host: 'y' } as FastifyRequest, undefined)).toBe(false);
  });
});
