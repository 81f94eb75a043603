import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { propertyRuns } from '../../test/support/property-runs.js';
import { readMapLink, readMapLinkIn, readRedirect } from './map-link.js';
import type { MapLink } from './reading.js';

const file = join(import.meta.dirname, '../../test/data/map-links.json');
const cases = JSON.parse(readFileSync(file, 'utf8')) as { input: string; hops?: unknown }[];

/** Links of every service that contain a point. */
const links = cases
  .filter(({ input, hops }) => /^https:/.test(input) && !hops && readMapLink(input).kind === 'coordinates')
  .map(({ input }) => input);

/** Everything that the readers split at, look for or take apart. */
const PIECES = [
  ...[
    ...['!3d', '!4d', '!2m2!1d', '!1m0', '!1d', '!2d', '!2z', '@', ',', ';', '~', '_', '|', '=', '&', '?'],
    ...['#', '/'],
  ],
  ...[
    ...['°', "'", '"', ' N', ' O ', '+', '-', '.', '1', '14.6', '-90.5', '90°30', '(', ')', ' ', '\n'],
    ...['\t', '\\', '%'],
  ],
  ...[
    ...['%2C', '%25', '%C3', 'loc:', 'q=', 'll=', 'data=', 'to=ll.', 'point.', '#map=', '/dir/', '/place/'],
    ...['/go/', 'geo:'],
  ],
  ...[
    ...['https://', 'https://maps.app.goo.gl/', 'WVRM+9F', '765CWVRM', 'NaN,', '\0', '\u200b', '\ud800'],
    ...['𝟏', 'é', '📍'],
  ],
];

const HEADS = [
  ...['', 'mi casa ', 'geo:', 'geo:0,0?q=', 'https://', 'https://www.google.com/maps', 'maps.google.com/?q='],
  ...['?q=', '/place/', '/dir/', '/@', '/embed?pb=', '/place/X/data=', '/preview#'].map(
    (path) => `https://www.google.com/maps${path}`,
  ),
  ...['waze.com/ul?ll=', 'waze.com/ul/h', 'maps.apple.com/?q=', 'www.openstreetmap.org/#map=', 'osm.org/go/'],
  ...['www.openstreetmap.org/directions?route=', 'www.bing.com/maps?cp=', 'www.bing.com/maps?sp=point.'],
  ...[
    ...['share.here.com/l/', 'share.here.com/p/e-', 'yandex.ru/maps?pt=', '2gis.ru/a/geo/', 'plus.codes/'],
    'g.page/',
  ],
  ...['consent.google.com/m?continue=', 'maps.app.goo.gl/', 'maps.app.goo.gl/?link=', 'www.google.com/?q='],
].map((head) => (/^[\w.-]+\.\w+\//.test(head) && !head.startsWith('maps.google') ? `https://${head}` : head));

const anyPiece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const anyHead = fc.constantFrom(...HEADS);

const KINDS = ['coordinates', 'place', 'unknown', 'short', 'unsupported', 'unreadable'];

// Plain conditions: an `expect` for each of some hundred thousand readings would take most of the time.
function expectSound(text: string): void {
  for (const read of [readMapLink(text), readMapLinkIn(text), readRedirect(text, 'https://goo.gl/maps/x')])
    if (!isSound(read)) throw new Error(`${JSON.stringify(text)} is read as ${JSON.stringify(read)}`);
}

function isSound(read: MapLink): boolean {
  if (read.kind === 'short') {
    const { protocol, port, username, password, hash } = new URL(read.url);
    return protocol === 'https:' && `${port}${username}${password}${hash}` === '';
  }
  if (read.kind !== 'coordinates') return KINDS.includes(read.kind);
  const { lat, lng } = read;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && !(lat === 0 && lng === 0);
}

describe('readMapLink', () => {
  it('reads any point from every form of every service to the last digit', () => {
    const degrees = (limit: number) =>
      fc.integer({ min: -limit * 1e7, max: limit * 1e7 }).map((units) => (units / 1e7).toFixed(7));
    fc.assert(
      fc.property(degrees(90), degrees(180), (lat, lng) => {
        fc.pre(Number(lat) !== 0 || Number(lng) !== 0);
        const forms = [
          `${lat},${lng}`,
          `${lat} ${lng}`,
          `${lat.replace('.', ',')}; ${lng.replace('.', ',')}`,
          `geo:${lat},${lng};u=10?z=17`,
          `geo:0,0?q=${lat},${lng}(Casa)`,
          `https://maps.google.com/maps?q=loc:${lat},${lng} (You)`,
          `https://maps.google.com/?q=Casa@${lat},${lng}`,
          `https://maps.google.com/?ll=${lat}%2C${lng}&z=17`,
          `https://www.google.com/maps/search/?api=1&query=${lat}%2C+${lng}`,
          `https://www.google.com/maps/dir/?api=1&origin=1,2&destination=${lat},${lng}`,
          `https://www.google.com/maps/dir/1.5,2.5/${lat},${lng}/@1,2,17z`,
          `https://www.google.com/maps/dir/A/B/data=!4m4!2m2!1d1!2d2!1m5!2m2!1d${lng}!2d${lat}!3e0`,
          `https://www.google.com/maps/place/X/@1,2,17z/data=!3m1!4b1!8m2!3d${lat}!4d${lng}!16s`,
          `https://www.google.com/maps/place/${lat},+${lng}/@1,2,17z`,
          `https://www.google.com/maps/@${lat},${lng},17z`,
          `https://www.google.com/maps/@${lat},${lng},3a,75y,90t`,
          `https://www.google.com/maps/embed?pb=!1m3!1d3860!2d${lng}!3d${lat}!2m3`,
          `https://waze.com/ul?ll=${lat}%2C${lng}`,
          `https://www.waze.com/live-map/directions?to=ll.${lat}%2C${lng}&from=ll.1,2`,
          `https://maps.apple.com/?ll=${lat},${lng}&q=Casa`,
          `https://maps.apple.com/place?coordinate=${lat}%2C${lng}`,
          `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=8/1/2`,
          `https://www.openstreetmap.org/#map=18/${lat}/${lng}`,
          `https://www.bing.com/maps?cp=1~2&sp=point.${lat}_${lng}_Casa`,
          `https://share.here.com/l/${lat},${lng},Casa`,
          `https://yandex.ru/maps/?pt=${lng},${lat}`,
          `https://yandex.ru/maps/?rtext=1,2~${lat},${lng}`,
          `https://2gis.ru/x/geo/${lng}%2C${lat}`,
          `https://m.uber.com/ul/?dropoff[latitude]=${lat}&dropoff[longitude]=${lng}`,
        ];
        const point = { lat: Number(lat), lng: Number(lng) };
        const wrong = forms.filter((form) => !isAt(readMapLink(form), point));
        if (wrong.length > 0) throw new Error(`${lat}, ${lng} is not read from ${wrong.join(' or ')}`);
      }),
    );
  });

  it('refuses a latitude beyond a pole in every form, and never swaps the axes', () => {
    const beyond = fc.double({ min: 90.000001, max: 180, noNaN: true });
    fc.assert(
      fc.property(beyond, fc.boolean(), fc.integer({ min: -90, max: 90 }), (size, isSouth, lng) => {
        const lat = (isSouth ? -size : size).toFixed(6);
        const forms = [
          `${lat}, ${lng}`,
          `geo:${lat},${lng}`,
          `https://maps.google.com/?q=${lat},${lng}`,
          `https://www.google.com/maps/place/${lat},${lng}/@1,2,17z`,
          `https://www.google.com/maps/@${lat},${lng},17z`,
          `https://waze.com/ul?ll=${lat},${lng}`,
          `https://maps.apple.com/?ll=${lat},${lng}`,
          `https://yandex.ru/maps/?pt=${lng},${lat}`,
        ];
        expect(forms.filter((form) => readMapLink(form).kind !== 'unreadable')).toEqual([]);
      }),
    );
  });
});

describe('a link that contains a point', () => {
  it('is in the data more than 100 times', () => {
    expect(links.length).toBeGreaterThan(100);
  });

  it.each<[what: string, change: (link: string) => string]>([
    ['a tracking parameter', (link) => withParameter(link, 'g_st=iw')],
    [
      'several tracking parameters',
      (link) => withParameter(link, 'utm_source=whatsapp&utm_source=x&utm_campaign=14.1,-90.1'),
    ],
    ['a tracking parameter with data', (link) => withParameter(link, 'fbclid=IwAR0!3d1!4d2@1,2,17z')],
    ['the default port', (link) => link.replace(/^(https:\/\/[^/?#:]+)(?::443)?/, '$1:443')],
    ['http', (link) => link.replace(/^https:\/\/([^/?#:]+)(?::443)?/, 'http://$1')],
    [
      'capitals in scheme and host',
      (link) => link.replace(/^https:\/\/[^/?#]+/, (host) => host.toUpperCase()),
    ],
    ['full-width letters in the host', (link) => link.replace('o', 'ｏ')],
    ['blanks around it', (link) => ` \n${link}\t `],
  ])('is read alike with %s', (_what, change) => {
    const read = (change: (link: string) => string) =>
      links.map((link) => ({ link, ...readMapLink(change(link)) }));
    expect(read(change)).toEqual(read((link) => link));
  });

  it.each<[what: string, change: (host: string) => string]>([
    ['a user before its host', (host) => `user@${host}`],
    ['a user and password before its host', (host) => `user:pw@${host}`],
    ['its host as a user', (host) => `${host}@evil.com`],
    ['another port', (host) => `${host}:8443`],
    ['a dot after its host', (host) => `${host}.`],
    ['a subdomain', (host) => `x.${host}`],
    ['its host as a subdomain', (host) => `${host}.evil.com`],
    ['its host as the end of a label', (host) => `evil${host}`],
    ['a letter more', (host) => `${host}x`],
    ['a Cyrillic letter', (host) => host.replace(/[ao]/, (letter) => (letter === 'a' ? 'а' : 'о'))],
    ['a Greek letter', (host) => host.replace('o', 'ο')],
    ['its host behind a #', (host) => `evil.com#@${host}`],
    ['its host behind a backslash', (host) => `evil.com\\@${host}`],
    ['its host behind a path', (host) => `evil.com/${host}`],
    ['an encoded dot', (host) => `${host}%2eevil.com`],
    ['an encoded NUL', (host) => `${host}%00.evil.com`],
    ['a line break in the host', (host) => `${host}\n.evil.com`],
  ])('is refused with %s', (_what, change) => {
    const forge = (_: string, host: string) => `https://${change(host)}`;
    const trusted = links
      .map((link) => [link, link.replace(/^https:\/\/([^/?#:]+)(?::443)?/, forge)] as const)
      .filter(([link, forged]) => forged !== link)
      .filter(([, forged]) => !['unsupported', 'unreadable'].includes(readMapLink(forged).kind));
    expect(trusted).toEqual([]);
  });
});

describe('any pasted text', () => {
  it('is read without an error, and never as a point out of range', () => {
    const anyText = fc
      .tuple(anyHead, fc.array(anyPiece, { maxLength: 12 }))
      .map(([head, pieces]) => head + pieces.join(''));
    fc.assert(fc.property(fc.oneof(anyText, fc.webUrl(), fc.string({ unit: 'binary' })), expectSound), {
      numRuns: propertyRuns(700),
    });
  });

  // If an expression needed more than linear time, the test would hit its time limit.
  it('of 4,096 characters that match parts of each expression is read to its end', () => {
    const anyLong = fc
      .tuple(anyHead, fc.array(anyPiece, { minLength: 1, maxLength: 3 }), anyPiece)
      .map(([head, unit, end]) => {
        const room = 4_096 - head.length - end.length;
        return head + unit.join('').repeat(4_096).slice(0, room) + end;
      });
    fc.assert(
      fc.property(anyLong, (text) => isSound(readMapLinkIn(text))),
      { numRuns: propertyRuns(300) },
    );
  });
});

function isAt(read: MapLink, { lat, lng }: { lat: number; lng: number }): boolean {
  return read.kind === 'coordinates' && Object.is(read.lat, lat) && Object.is(read.lng, lng);
}

function withParameter(link: string, parameter: string): string {
  const [, start, fragment] = /^([^#]*)(.*)$/s.exec(link)!;
  return `${start}${start!.includes('?') ? '&' : '?'}${parameter}${fragment}`;
}
