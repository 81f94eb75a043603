import { linkIn, readMapLinkIn } from './map-link.js';

const PIN = { kind: 'coordinates', lat: 14.6407, lng: -90.5133 };
const LINK = 'https://maps.google.com/?q=14.6407,-90.5133';

/** Texts that people really pasted, with other numbers. */
describe('a pasted text shows its place', () => {
  it.each([
    ['in a bold link', `*${LINK}*`],
    ['in a link of a page that was escaped', 'https://maps.google.com/?z=17&amp;q=14.6407,-90.5133'],
    [
      'in a link of a page that was escaped',
      `https://maps.google.com.gt/maps?hl=es&amp;q=tienda&amp;ll=14.6407,-90.5133&amp;z=16&amp;cid=1`,
    ],
    [
      "in the link below Waze's embedded map",
      'https://www.waze.com/livemap?zoom=17&lat=14.6407&lon=-90.5133',
    ],
    ['in a link with its zoom glued on', `${LINK},17z`],
    ['in a link with a word glued on', `${LINK}Casa`],
    ['in a link with the end of a tag', `${LINK}</a></p>`],
    ['in a link after a name and a line break', `Casa de Ana\n${LINK}`],
    ['in a link after a word and a colon', `ubicacion:${LINK}`],
    ['in an encoded link', encodeURIComponent(LINK)],
    ['in decimal commas with a comma and a blank', '14,6407, -90,5133'],
    [
      'between words, beside the link of an unknown service',
      'Mirador 14.6407N, 90.5133W https://mapy.com/s/x',
    ],
    ['between words, beside the link of an unknown service', 'https://mapy.com/s/x 14.6407,-90.5133'],
    [
      'between words, beside the name of a place',
      `14.6407, -90.5133 https://www.google.com/maps/place/Mixco`,
    ],
    ['between words', 'Casa de Ana: 14.6407, -90.5133, portón azul'],
    ['between words, once or twice', '14.6407,-90.5133 o sea 14.6407, -90.5133'],
  ])('%s: %j', (_where, text) => {
    expect(readMapLinkIn(text)).toMatchObject(PIN);
  });

  it('in degrees, minutes and seconds without marks, if compass points say which is which', () => {
    expect(readMapLinkIn('14 38 26 N 90 30 47 W')).toMatchObject({
      lat: expect.closeTo(14.64056, 4),
      lng: expect.closeTo(-90.51306, 4),
    });
  });

  it.each([
    ['of two', '14.6407,-90.5133 o 15.1234,-91.1234'],
    ['in house numbers', 'zona 10, 5-12, casa 3'],
    ['in prices', 'son 12.50, 15.75 y 3.25'],
    ['in a link of another site', 'https://example.com/?ll=14.6407,-90.5133'],
    ['in a short plus code', 'JGRP+7F Guatemala'],
  ])('but not %s: %j', (_where, text) => {
    expect(readMapLinkIn(text).kind).toMatch(/^(?:unreadable|unsupported)$/);
  });
});

describe('linkIn', () => {
  it.each([
    [`Casa de Ana\n*${LINK}*`, LINK],
    ['Farmacia https://maps.app.goo.gl/AbC123, gracias', 'https://maps.app.goo.gl/AbC123'],
    ['14.6407, -90.5133', '14.6407, -90.5133'],
    ['mi casa', 'mi casa'],
  ])('of %j is %j', (text, link) => {
    expect(linkIn(text)).toBe(link);
  });
});
