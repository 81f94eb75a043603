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
    ['in a link without https after a word and a colon', 'link:maps.google.com/?q=14.6407,-90.5133'],
    ['in such a link between words', 'aquí ubicación:www.google.com/maps?q=14.6407,-90.5133 gracias'],
    ['in a link of a page that escapes slashes', LINK.replaceAll('/', '&#x2F;')],
    ['in one that escapes slashes otherwise', LINK.replaceAll('/', '&#47;')],
    ['in one that escapes equals signs, too', LINK.replaceAll('/', '&#x2F;').replace('=', '&#x3D;')],
    ['in one that was escaped twice', LINK.replaceAll('/', '&amp;#x2F;')],
    ['in decimal commas with a comma and a blank', '14,6407, -90,5133'],
    ['in decimal commas with a blank before the comma', '14,6407 , -90,5133'],
    ['in decimal commas with a blank before the comma alone', '14,6407 ,-90,5133'],
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
    ['after the number of a zone', 'zona 10 14.6407, -90.5133'],
    ['after the number of a zone', 'Zona 10, 14.6407,-90.5133'],
    ['after the numbers of a street', '5a avenida 3-21 zona 1 14.6407, -90.5133'],
    ['after the number of a house', 'Casa 3\n14.6407, -90.5133'],
    ['after the number of a zone, with compass points', 'zona 10 14.6407 N, 90.5133 W'],
    ['after the number of a zone, in decimal commas', 'Calle 5 14,6407 -90,5133'],
    ['before the number of houses', '14.6407, -90.5133 5 casas abajo'],
    ['before the number of houses', '14.6407, -90.5133\n5 casas abajo'],
    ['after the names of the axes', 'Lat: 14.6407, Lng: -90.5133'],
    ['after the names of the axes', 'lat 14.6407 lon -90.5133'],
    ['after the names of the axes', 'Estoy en latitud: 14.6407 longitud: -90.5133, portón azul'],
    ['after the names of the axes, in decimal commas', 'Latitud 14,6407 Longitud -90,5133'],
    ['after the names of the axes, with compass points', 'Lat. 14.6407° N, Long. 90.5133° W'],
    ['after the names of the axes, longitude first', 'Lng: -90.5133, Lat: 14.6407'],
    ['in JSON', '{"lat":14.6407,"lng":-90.5133}'],
    ['in parameters without a link', 'lat=14.6407&lng=-90.5133'],
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
    ['where minutes stand on one axis alone', '14 38.4433, -90.5133'],
    ['after a whole number without a word', '17, 14.6407, -90.5133'],
    ['of two, one after the number of a zone', 'zona 10 14.6407,-90.5133 o 15.1234,-91.1234'],
    ['of one axis', 'Lat: 14.6407, Lat: -90.5133'],
    ['in a link of another site that names the axes', 'https://example.com/?lat=14.6407&lng=-90.5133'],
  ])('but not %s: %j', (_where, text) => {
    expect(readMapLinkIn(text).kind).toMatch(/^(?:unreadable|unsupported)$/);
  });
});

describe('linkIn', () => {
  it.each([
    [`Casa de Ana\n*${LINK}*`, LINK],
    ['Farmacia https://maps.app.goo.gl/AbC123, gracias', 'https://maps.app.goo.gl/AbC123'],
    ...['"', "'"].map((quote) => [
      `${quote}https://maps.apple.com/?q=14.695464,-91.42231${quote} gracias`,
      'https://maps.apple.com/?q=14.695464,-91.42231',
    ]),
    ['14.6407, -90.5133', '14.6407, -90.5133'],
    ['mi casa', 'mi casa'],
  ])('of %j is %j', (text, link) => {
    expect(linkIn(text)).toBe(link);
  });
});
