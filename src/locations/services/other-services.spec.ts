import { readMapLink } from '../map-link.js';

const at = (lat: number, lng: number, origin: string) => ({ kind: 'coordinates', lat, lng, origin });

/** A link that shows its point to a person is never kept as a place without one. */
describe('a name in a link that contains coordinates is their point', () => {
  const PIN = { kind: 'coordinates', lat: 14.6407, lng: -90.5133 };
  const GOOGLE = 'https://maps.google.com/?q=';

  it.each([
    `${GOOGLE}Casa+14.6407,-90.5133`,
    `${GOOGLE}Casa+de+Ana+(14.6407,-90.5133)`,
    `${GOOGLE}(14.6407,-90.5133)`,
    `${GOOGLE}%2214.6407,-90.5133%22`,
    `${GOOGLE}geo:14.6407,-90.5133`,
    `${GOOGLE}Lat:14.6407+Long:-90.5133`,
    `${GOOGLE}zona+10+14.6407,-90.5133`,
    `${GOOGLE}14.6407%E2%80%8E,-90.5133`,
    `${GOOGLE}%E2%80%AA14.6407,-90.5133%E2%80%AC`,
    'https://www.google.com/maps/search/14.6407,%E2%80%8B-90.5133',
    'https://www.google.com/maps/search/Casa+14.6407,-90.5133',
    'https://www.google.com/maps/place/Casa+14.6407,-90.5133/@14.6,-90.5,17z',
    'https://www.google.com/maps/search/?api=1&query=Casa+14.6407,-90.5133',
    'https://www.google.com/maps/dir/?api=1&destination=Casa+14.6407,-90.5133',
    'https://www.google.com/maps/dir/A/Casa+14.6407,-90.5133/@14.6,-90.5,17z',
    'https://www.waze.com/ul?q=14.6407,-90.5133',
    'https://www.waze.com/ul?q=Casa+14.6407,-90.5133',
    'https://www.waze.com/ul?ll=14.6407%E2%80%8E,-90.5133',
    'https://maps.apple.com/?ll=14.6407,%E2%80%8E-90.5133',
    'https://maps.apple.com/?address=14.6407,-90.5133',
    'https://www.openstreetmap.org/search?query=Casa+14.6407,-90.5133',
    'geo:0,0?q=Casa+14.6407,-90.5133',
  ])('%s', (link) => {
    expect(readMapLink(link)).toMatchObject(PIN);
  });

  it.each([
    '14.6407|-90.5133',
    '14.6407_-90.5133',
    '14.6407%252C-90.5133',
    '14.6407,-90.5133+o+15.1234,-91.1234',
  ])('and refused where it cannot be read: %s', (name) => {
    expect(readMapLink(`${GOOGLE}${name}`)).toEqual({ kind: 'unreadable', reason: 'malformed' });
  });

  it.each(['Tel+2222.1234+y+2222.5678', 'Km+14.5,+Carretera+3.25', 'Bodega+10.500'])(
    'but not in %s',
    (name) => {
      expect(readMapLink(`${GOOGLE}${name}`)).toEqual({ kind: 'place' });
    },
  );
});

describe('readMapLink reads the point of', () => {
  it.each([
    ['https://waze.com/ul?ll=3,4&navigate=yes', 'query'],
    ['https://www.waze.com/es-419/live-map/directions?to=ll.3%2C4&from=ll.5%2C6', 'query'],
    ['https://www.waze.com/live-map/directions?latlng=3%2C4', 'query'],
    ['https://maps.apple.com/?ll=3,4&q=Casa&sll=5,6', 'query'],
    ['https://maps.apple.com/?q=3,4', 'query'],
    ['https://maps.apple.com/?saddr=5,6&daddr=3,4', 'query'],
    ['https://maps.apple.com/place?address=X&coordinate=3,4&name=Pin', 'query'],
    ['https://maps.apple.com/directions?source=5,6&destination=3,4', 'query'],
    ['https://www.openstreetmap.org/?mlat=3&mlon=4#map=18/5/6', 'pin'],
    ['https://www.openstreetmap.org/?lat=5&lon=6&mlat=3&mlon=4&zoom=16', 'pin'],
    ['https://www.openstreetmap.org/directions?to=3,4', 'query'],
    ['https://www.openstreetmap.org/directions?engine=x&route=5%2C6%3B7%2C8%3B3%2C4#map=17/5/6', 'query'],
    ['https://www.openstreetmap.org/search?query=3%2C4#map=17/5/6', 'query'],
    ['https://www.openstreetmap.org/?lat=3&lon=4&zoom=16', 'viewport'],
    ['https://www.openstreetmap.org/#map=15/3/4&layers=N', 'viewport'],
    ['https://osm.org/#17/3/4', 'viewport'],
    ['https://www.openstreetmap.org/#map%3D16%2F3%2F4', 'viewport'],
    ['https://www.bing.com/maps?cp=5~6&sp=point.3_4_Casa___', 'pin'],
    ['https://www.bing.com/maps?rtp=adr.Mixco~pos.3_4_Casa', 'pin'],
    ['https://www.bing.com/maps?where1=3,4&cp=5~6', 'query'],
    ['https://bing.com/maps/default.aspx?cp=3~4', 'viewport'],
    ['https://www.bing.com/maps?cp=3%7E4&lvl=10.1', 'viewport'],
    ['https://share.here.com/l/3,4,Casa?z=17', 'pin'],
    ['https://share.here.com/l/3%2C4', 'pin'],
    [`https://wego.here.com/p/s-${btoa('id=;lat=3;lon=4;n=Casa')}`, 'pin'],
    [`https://share.here.com/p/e-${btoa('{"version":"1.0.3","latitude":3,"longitude":4}')}`, 'pin'],
    ['https://www.here.com/location?map=3,4,16,normal&msg=X', 'viewport'],
    ['https://yandex.com/maps/?ll=6,5&whatshere%5Bpoint%5D=4%2C3&z=17', 'pin'],
    ['https://yandex.ru/maps/?pt=4,3,pm2rdm&ll=6,5', 'pin'],
    ['https://yandex.ru/maps/?rtext=5%2C6~7%2C8~3%2C4&ll=6,5', 'pin'],
    ['https://maps.yandex.ru/?ll=4%2C3&z=10', 'viewport'],
    ['https://2gis.ru/x/geo/4%2C3', 'pin'],
    ['https://2gis.ru/x/firm/70000001043503020/4%2C3?m=6%2C5%2F17', 'pin'],
    ['https://2gis.ru/x/firm/70000001043503020?m=4%2C3%2F17', 'viewport'],
    ['https://2gis.ru/x/firm/70000001043503020/center/4,3/zoom/15.9', 'viewport'],
    [
      'https://m.uber.com/ul/?pickup[latitude]=5&pickup[longitude]=6&dropoff[latitude]=3&dropoff%5Blongitude%5D=4',
      'pin',
    ],
    ['geo:3,4', 'path'],
    ['geo:3,4,100;u=35', 'path'],
    ['geo:3, 4', 'path'],
    ['geo:3%2C%204', 'path'],
    ['geo:3,4;crs=WGS84;u=40', 'path'],
    ['geo:3,4?q=cafe&z=17', 'path'],
    ['geo:3,4&z=17', 'path'],
    ['geo:3,4 (Casa)', 'path'],
    ['geo:5,6?q=3,4', 'query'],
    ['geo:0,0?z=17&q=3,4(Casa%20(2))', 'query'],
    ['geo:?q=3%2C4', 'query'],
  ])('%s', (link, origin) => {
    expect(readMapLink(link)).toEqual(at(3, 4, origin));
  });

  it.each([
    'https://waze.com/ul/h9fxe93s8z',
    'https://www.waze.com/ul/H9FXE93S8Z?utm_source=x',
    'https://www.waze.com/live-map?h=9fxe93s8z',
  ])('a Waze geohash: %s', (link) => {
    expect(readMapLink(link)).toMatchObject({ origin: 'geohash', lat: expect.closeTo(14.68612, 4) });
  });

  it.each(['https://osm.org/go/S7mfpQPaz-', 'https://www.openstreetmap.org/go/S7mfpQPaz-?m='])(
    'an OpenStreetMap short code: %s',
    (link) => {
      expect(readMapLink(link)).toMatchObject({ origin: 'geohash', lat: expect.closeTo(15.08179, 4) });
    },
  );

  it.each([
    ...['https://plus.codes/765CWVRM+9F', 'https://plus.codes/765CWVRM%2B9F'],
    ...['https://maps.google.com/?q=765CWVRM%2B9F', 'https://maps.google.com/?q=765CWVRM+9F'],
    ...['https://www.google.com/maps/place/765CWVRM%2B9F', 'geo:0,0?q=765CWVRM%2B9F'],
    ...['geo:0,0?q=765CWVRM+9F', '765CWVRM+9F Mixco'],
  ])('a full plus code: %s', (link) => {
    expect(readMapLink(link)).toEqual(at(13.9409375, -91.1163125, 'plus_code'));
  });
});

describe('readMapLink reads as a place without a point', () => {
  it.each([
    'https://waze.com/ul?q=Mixco',
    'https://waze.com/ul?venue_id=1.2.3',
    'https://www.waze.com/live-map/directions?to=place.w.1.2.3&from=ll.5,6&latlng=5,6',
    'https://www.waze.com/live-map/directions/x?place=w.1.2.3',
    'https://maps.apple.com/?address=Mixco',
    'https://maps.apple.com/?q=Mixco&sll=14.6,-90.5',
    'https://maps.apple.com/?daddr=Mixco&ll=14.6,-90.5',
    'https://maps.apple.com/place?auid=123',
    'https://www.openstreetmap.org/node/123#map=19/14.6/-90.5',
    'https://www.openstreetmap.org/search?query=Mixco#map=19/14.6/-90.5',
    'https://www.openstreetmap.org/directions?route=14.6%2C-90.5%3BMixco#map=19/14.6/-90.5',
    'https://www.bing.com/maps?where1=Mixco&cp=14.6~-90.5',
    'https://www.bing.com/maps?rtp=pos.14.6_-90.5~adr.Mixco&cp=14.6~-90.5',
    'https://yandex.ru/maps/org/123/',
    'https://2gis.ru/x/firm/70000001043503020',
    'https://share.google/abc',
    'geo:0,0?q=Mixco',
    'geo:?q=Mixco',
  ])('%s', (link) => {
    expect(readMapLink(link)).toEqual({ kind: 'place' });
  });
});

describe('readMapLink knows no place of', () => {
  it.each([
    'https://w3w.co/filled.count.soap',
    'https://what3words.com/filled.count.soap',
    'https://foursquare.com/v/x/4b0',
  ])('%s', (link) => {
    expect(readMapLink(link)).toEqual({ kind: 'unsupported', reason: 'host' });
  });
});

describe('readMapLink refuses', () => {
  it.each([
    'https://waze.com/ul?ll=-90.5,14.6',
    'https://www.waze.com/live-map/directions?to=ll.91,10',
    'https://maps.apple.com/?ll=91,10&q=14.6,-90.5',
    'https://maps.apple.com/?daddr=14.6,-90.5&daddr=15.1,-91.2',
    'https://www.openstreetmap.org/?mlat=91&mlon=10#map=18/14.6/-90.5',
    'https://www.openstreetmap.org/?mlat=14.6#map=18/14.6/-90.5',
    'https://www.openstreetmap.org/#map=18/91/10',
    'https://www.bing.com/maps?sp=point.91_10_X&cp=14.6~-90.5',
    'https://www.bing.com/maps?cp=14.6~x',
    'https://share.here.com/l/91,10',
    'https://yandex.ru/maps/?ll=14.6,-90.5',
    'https://2gis.ru/x/geo/14.6,-90.5',
    'https://m.uber.com/ul/?dropoff[latitude]=14.6',
    'geo:0,0',
    'geo:0,0?q=',
    'geo:91,10',
    'geo:14.6',
    'geo:14.6,-90.5garbage',
    'geo:garbage14.6,-90.5',
    'geo://14.6,-90.5',
    'geo:14.6,-90.5?q=91,10',
    'geo:766000,1618000;crs=EPSG:32615',
    'geo:14.6,-90.5;crs=moon-2011',
  ])('%s', (link) => {
    expect(readMapLink(link).kind).toBe('unreadable');
  });

  it.each([
    'https://www.waze.com/company',
    'https://www.bing.com/search?q=14.6,-90.5',
    'https://yandex.ru/search?text=14.6,-90.5',
    'https://uber.com/ul?dropoff[latitude]=3&dropoff[longitude]=4',
    'https://wiki.openstreetmap.org/?mlat=3&mlon=4',
  ])('another page of the same company: %s', (link) => {
    expect(readMapLink(link).kind).toBe('unsupported');
  });
});

describe('readMapLink reads no place in', () => {
  it.each([
    ['form', 'https://waze.com/ul?favorite=home'],
    ['far', 'https://waze.com/ul/h9fxe9'],
    ['form', 'https://maps.apple.com/?saddr=14.6,-90.5'],
    ['form', 'https://maps.apple.com/search?center=14.6,-90.5'],
    ['far', 'https://www.openstreetmap.org/#map=14/14.6/-90.5'],
    ['far', 'https://www.openstreetmap.org/?lat=14.6&lon=-90.5&zoom=14'],
    ['far', 'https://osm.org/go/TyFS--'],
    ['form', 'https://www.bing.com/maps?sp=point.14.6_-90.5_A~point.15_-91_B'],
    ['far', 'https://www.here.com/?map=14.6,-90.5,14,normal'],
    ['form', 'https://yandex.ru/maps/?rtext=14.6%2C-90.5~&ll=-90.5,14.6'],
    ['form', 'https://yandex.ru/maps/?pt=-90.5,14.6~-91,15'],
    ['far', 'https://2gis.ru/x/center/-90.5,14.6/zoom/12'],
    ['form', 'https://m.uber.com/ul/?action=setPickup&pickup[latitude]=14.6&pickup[longitude]=-90.5'],
    ['short_code', 'https://plus.codes/WVRM+9F'],
    ['form', 'https://waze.com/ul'],
    ['form', 'https://maps.apple.com/?t=m'],
    ['form', 'https://www.openstreetmap.org/'],
    ['form', 'https://www.bing.com/maps'],
    ['form', 'https://wego.here.com/directions'],
    ['form', 'https://yandex.ru/maps/'],
    ['form', 'https://2gis.ru/moscow'],
    ['short_code', 'https://plus.codes/WVRM+9F,Mixco'],
    ['short_code', 'https://maps.google.com/?q=WVRM%2B9F+Mixco'],
    ['short_code', 'https://maps.google.com/?q=WVRM+9F'],
  ])('%s: %s', (reason, link) => {
    expect(readMapLink(link)).toEqual({ kind: 'unknown', reason });
  });
});
