import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { propertyRuns } from '../../test/support/property-runs.js';
import { linkIn, readMapLink, readMapLinkIn } from './map-link.js';

const file = join(import.meta.dirname, '../../test/data/map-links.json');
const cases = JSON.parse(readFileSync(file, 'utf8')) as { input: string }[];

/** Links of one word, by service. */
const services = new Map<string, string[]>();
for (const { input } of cases) {
  if (!/^https:\/\/\S+$/.test(input)) continue;
  const { kind } = readMapLink(input);
  if (kind !== 'coordinates' && kind !== 'short') continue;
  const [, service] = /([\w-]+)\.(?:com?\.)?[\w-]+$/.exec(new URL(input).hostname)!;
  services.set(service!, [...(services.get(service!) ?? []), input]);
}
services.set('waze', [
  ...(services.get('waze') ?? []),
  'https://www.waze.com/livemap?zoom=17&lat=14.6407&lon=-90.5133',
  'https://www.waze.com/livemap?lon=-90.5133&lat=14.6407',
  'https://embed.waze.com/iframe?zoom=16&lat=14.6407&lon=-90.5133&pin=1',
  'https://waze.to/?ll=14.6407,-90.5133',
  'https://waze.com/ul/h9fxe93s8z',
]);

/** What people, apps and pages put around a link. */
const AROUND: [before: string, after: string][] = [
  ...['*', '_', '~', '*_', '`', '"', "'", '|'].map((mark): [string, string] => [
    mark,
    [...mark].reverse().join(''),
  ]),
  ['(', ')'],
  ['[', ']'],
  ['<', '>'],
  ['«', '»'],
  ['“', '”'],
  ['[Casa de Ana](', ')'],
  ['<a href="', '">Casa</a>'],
  ['', '</a>'],
  ['', '</a></p>'],
  ['', '%3C/a%3E%3C/p%3E'],
  ['', '*'],
  ['', ')'],
];
const BEFORE = [
  ...['', '📍', '👉🏽 ', '🇬🇹', 'Ubicación: ', 'ubicacion:', 'Mi casa:', 'Casa de Ana\n'],
  'Casa de Ana\r\n\r\n',
];
const BEFORE_TOO = ['\u200e', '\ufeff', 'aquí está (', '¡Hola! ', 'Aquí', '> ', '- ', '1) '];
const AFTER = [
  ...['', '.', ',', '!!!', '…', '📍', '🙏🏽', ' 👍', '\nzona 10, casa 5-12', ' gracias', '\u200b', ').'],
  ' ',
];
const escapeHtml = (link: string) => link.replaceAll('&', '&amp;');
const WRITTEN: ((link: string) => string)[] = [
  (link) => link,
  escapeHtml,
  (link) => escapeHtml(escapeHtml(link)),
  (link) => link.replaceAll('&', '&#38;'),
  (link) => link.replaceAll('&', '&#x26;'),
  (link) => link.replaceAll('&', '\\u0026').replaceAll('/', '\\/'),
];

const anyDecoration = fc.record({
  around: fc.constantFrom(['', ''] as [string, string], ...AROUND),
  before: fc.constantFrom(...BEFORE, ...BEFORE_TOO),
  after: fc.constantFrom(...AFTER),
  write: fc.constantFrom(...WRITTEN),
});

describe('a map link', () => {
  it.each([...services])('of %s is read through what stands around it', (_service, links) => {
    fc.assert(
      fc.property(fc.constantFrom(...links), anyDecoration, (link, { around, before, after, write }) => {
        const text = `${before}${around[0]}${write(link)}${around[1]}${after}`;
        expect({ text, read: readMapLinkIn(text) }).toEqual({ text, read: readMapLink(link) });
        expect(readMapLink(linkIn(text))).toEqual(readMapLink(link));
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});
