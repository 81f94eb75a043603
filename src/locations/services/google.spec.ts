import { readMapLink } from '../map-link.js';

const read = (path: string) => readMapLink(`https://www.google.com/maps${path}`);
const at = (lat: number, lng: number, origin: string) => ({ kind: 'coordinates', lat, lng, origin });
const PLACE = { kind: 'place' };

describe('a Google place', () => {
  it.each([
    [
      'of two pins the last is the place',
      '/place/X/@1,2,17z/data=!4m9!3m6!8m2!3d5!4d6!3m5!1s0x1:0x2!8m2!3d3!4d4!16sx',
      3,
      4,
      'pin',
    ],
    [
      'the camera is no pin',
      '/place/X/data=!3m8!1m3!1d24383582!2d-89.6!3d13.9!3m2!1i12!2i7!4f13.1!4m3!8m2!3d3!4d4',
      3,
      4,
      'pin',
    ],
    ['exclamation marks encoded', '/place/X/data=%213m1%214b1%218m2%213d3%214d4', 3, 4, 'pin'],
    ['a pin behind #, as older links have it', '/preview#!q=paris&data=!4m2!3d3!4d4', 3, 4, 'pin'],
    ['the pin before all', '/place/5,6/@7,8,17z/data=!8m2!3d3!4d4?q=9,10', 3, 4, 'pin'],
    ['what is asked for before the map', '?q=3,4&ll=5,6', 3, 4, 'query'],
    ['… in either name', '?query=3,4&ll=5,6', 3, 4, 'query'],
    ['the map before the view of it', '?ll=3,4&center=5,6&viewpoint=7,8', 3, 4, 'query'],
    ['the map at any zoom', '?ll=3,4&z=12', 3, 4, 'query'],
    ['the map beside a name, where it is close', '?q=Mixco&ll=3,4&z=17', 3, 4, 'viewport'],
    ['the path before the view', '/place/3.5,4.5/@5,6,17z', 3.5, 4.5, 'path'],
    ['a dropped pin', '/search/3.5,+-4.5?entry=tts', 3.5, -4.5, 'path'],
    ['a dropped pin', `/place/3%C2%B030'00.0%22N+4%C2%B030'00.0%22W/@5,6,17z`, 3.5, -4.5, 'path'],
    ['a dropped pin', `/place/3°30'00.0"N+4°30'00.0"W`, 3.5, -4.5, 'path'],
    ['a parameter in the path', '/q=loc:3.5,-4.5 (You)', 3.5, -4.5, 'path'],
    ['a place where only the view says where', '/place/X/@3,4,15z/data=!4m5!1s0x1:0x2!8m2', 3, 4, 'viewport'],
    ['a view', '/@3,4,15z', 3, 4, 'viewport'],
    ['a view from the air', '/@3,4,2000m/data=!3m1!1e3', 3, 4, 'viewport'],
    ['a view from the air', '/@3,4,500a,35y,45t', 3, 4, 'viewport'],
    ['a view from the street', '/@3,4,3a,75y,90t/data=!3m8!1e1', 3, 4, 'viewport'],
    ['a view from the street', '/@?api=1&map_action=pano&viewpoint=3,4', 3, 4, 'query'],
    ['a map that a program asked for', '/@?api=1&map_action=map&center=3,4&zoom=15', 3, 4, 'viewport'],
    [
      'an embedded map',
      '/embed?pb=!1m18!1m12!1m3!1d3820.5!2d4!3d3!2m3!1f0!3m3!1m2!1s0x1:0x2!2sX',
      3,
      4,
      'viewport',
    ],
    [
      'the label of an embedded pin',
      '/embed?pb=!1m3!1d3860!2d4!3d3!1m1!2zM8KwMzAnMC4wIk4gNMKwMzAnMC4wIlc!5e0',
      3.5,
      -4.5,
      'pin',
    ],
    ['an embedded search', '/embed/v1/place?key=x&q=3,4', 3, 4, 'query'],
  ])('%s: %s', (_what, path, lat, lng, origin) => {
    expect(read(path)).toEqual(at(lat, lng, origin));
  });

  it.each([
    ['a name', '/place/Parque+Central/'],
    ['a name that begins with a number', '/place/12+calle+5-10'],
    ['an id', '?cid=12345678901234567890'],
    ['an id', '/place//data=!4m2!3m1!1s0x1:0x2'],
    ['an id', '?q=Casa&ftid=0x1:0x2'],
    ['a map of one’s own', '/d/viewer?mid=abc&ll=14.6,-90.5&z=17'],
    ['a saved list', '/placelists/list/abc'],
    ['a search, however close', '/search/food/@14.6,-90.5,19z'],
    ['a search, however close', '/@14.6,-90.5,19z?q=food'],
    ['a map beside a name, from afar', '?q=Mixco&ll=14.6,-90.5&z=14'],
    ['a view from afar', '/place/X/@14.6,-90.5,6z'],
  ])('is read without a point from %s: %s', (_what, path) => {
    expect(read(path)).toEqual(PLACE);
  });

  it.each([
    ['short_code', 'a short plus code', '/place/QGRH%2B5G+Ciudad+de+Guatemala'],
    ['form', 'a saved list', '/@/data=!3m1!4b1!4m3!11m2!2sABC!3e3'],
    ['far', 'a view from afar', '/@14.6,-90.5,14.99z'],
    ['far', 'a view from afar', '/@14.6,-90.5,2001m/data=!3m1!1e3'],
    ['far', 'a view from afar', '/@?api=1&map_action=map&center=14.6,-90.5&zoom=12'],
    ['far', 'an embedded map from afar', '/embed?pb=!1m3!1d61767!2d-90.5!3d14.6!2m3'],
    [
      'form',
      'an embedded route',
      '/embed?pb=!1m3!1d3820!2d-90.5!3d14.6!4m9!3e0!4m3!3m2!1d14!2d-90!4m3!3m2!1d15!2d-91',
    ],
    ['form', 'a profile', '/contrib/123/reviews/@14.6,-90.5,17z'],
    ['form', 'nothing', ''],
  ])('is not found (%s) in %s: %s', (reason, _what, path) => {
    expect(read(path)).toEqual({ kind: 'unknown', reason });
  });
});

describe('a Google route is its destination', () => {
  const FROM_A = '!1m5!1m1!1s0x1:0x2!2m2!1d-90.1!2d14.1';
  const TO_B = '!1m5!1m1!1s0x3:0x4!2m2!1d-90.5!2d14.6';
  const VIA = '!3m4!1m2!1d-90.9!2d14.9!3s0x5:0x6';

  it.each([
    ['by name in the API', '/dir/?api=1&origin=14.1,-90.1&destination=14.6,-90.5&travelmode=driving'],
    ['by name in old links', '?saddr=14.1,-90.1&daddr=14.6,-90.5'],
    ['after the start', '/dir/14.1,-90.1/14.6,-90.5/@14.3,-90.3,17z'],
    ['after a slash', '/dir/14.1,-90.1/14.6,-90.5/'],
    ['without a start', '/dir//14.6,-90.5/@14.3,-90.3,17z'],
    ['after a stop', '/dir/A/14.1,-90.1/14.6,-90.5'],
    ['in the data, longitude first', `/dir/A/B/@14.3,-90.3,17z/data=!4m14!4m13${FROM_A}${TO_B}!3e0`],
    ['in the data, with points on the way', `/dir/A/B/data=!4m20!4m19${FROM_A}${VIA}${TO_B}!3e0`],
    ['in the data, as a pin', '/dir/A/B/data=!4m9!1m4!8m2!3d14.1!4d-90.1!1m4!8m2!3d14.6!4d-90.5!3e0'],
    ['in the path where the data only knows the start', `/dir/A/14.6,-90.5/data=!4m9!4m8${FROM_A}!1m0!3e0`],
  ])('%s: %s', (_what, path) => {
    expect(read(path)).toMatchObject({ lat: 14.6, lng: -90.5 });
  });

  it.each([
    ['by its name, not its start', '/dir/14.1,-90.1/Antigua+Guatemala'],
    ['by its name, not its start', '?saddr=14.1,-90.1&daddr=Antigua'],
    ['by its name, not another parameter', '?daddr=Antigua&q=14.1,-90.1&ll=14.1,-90.1'],
    ['by its name, not the middle of the way', '/dir/A/B/@14.3,-90.3,19z'],
    ['by its name, not the start in the data', `/dir/A/B/@14.3,-90.3,17z/data=!4m9!4m8${FROM_A}!1m0!3e0`],
    ['by its id, not the start in the data', `/dir/A/B/data=!4m9!4m8${FROM_A}!1m2!1m1!1s0x3:0x4!3e0`],
  ])('is a place without coordinates if it is known %s: %s', (_what, path) => {
    expect(read(path)).toEqual(PLACE);
  });

  it.each([
    '/dir/14.1,-90.1/',
    '/dir/14.1,-90.1//@14.3,-90.3,17z',
    '/dir/14.1,-90.1',
    '?saddr=14.1,-90.1',
    '/dir/',
  ])('is no place if it is missing: %s', (path) => {
    expect(read(path)).toEqual({ kind: 'unknown', reason: 'form' });
  });
});

describe('a Google link with an invalid point is refused, even if it has another one', () => {
  it.each([
    ...['/place/14.6,-90.5/data=!8m2!3d95.1!4d-90.5', '/place/14.6,-90.5/data=!8m2!3dNaN!4d-90.5'],
    ...['?q=91,10&ll=14.6,-90.5', '?q=14,6407,-90,5133&ll=14.6,-90.5', '?q=14.6,-90.5&q=15.1,-91.2'],
    ...['/place/91,10/@14.6,-90.5,17z', '/dir/14.6,-90.5/91,10', '/dir/A/B/data=!2m2!1d-90.5!2d95'],
    ...['/@95,-90.5,17z', '/@0,0,17z', '/@14.6,-90.5', '?center=91,10&zoom=17'],
  ])('%s', (path) => {
    expect(read(path).kind).toBe('unreadable');
  });
});

describe('the front page of Google', () => {
  it('is read only if the query is coordinates', () => {
    expect(readMapLink('https://www.google.com/?q=14.6,-90.5')).toMatchObject(at(14.6, -90.5, 'query'));
    expect(readMapLink('https://www.google.com/?q=Mixco')).toEqual({ kind: 'unsupported', reason: 'path' });
  });
});
