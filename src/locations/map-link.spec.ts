import { readMapLink } from './map-link.js';

const at = (lat: number, lng: number) => ({ kind: 'coordinates', lat, lng });
const PIN = at(14.6407, -90.5133);
const kindOf = (text: string) => readMapLink(text).kind;

describe('readMapLink reads coordinates from', () => {
  it.each([
    '14.6407,-90.5133',
    '14.6407, -90.5133',
    ' 14.6407 , -90.5133 \n',
    '+14.6407,-90.5133',
    '14.640700,-90.513300',
    'https://www.google.com/maps?q=14.6407,-90.5133',
    'https://www.google.com/maps?q=14.6407%2C-90.5133',
    'https://www.google.com/maps?q=14.6407,+-90.5133',
    'https://www.google.com/maps?q=loc:14.6407,-90.5133',
    'https://maps.google.com/?q=14.6407,-90.5133',
    'https://maps.google.com/maps?ll=14.6407,-90.5133&z=17',
    'https://www.google.com/maps/search/?api=1&query=14.6407,-90.5133',
    'https://www.google.com/maps/search/?api=1&query=14.6407,-90.5133&utm_source=whatsapp&g_st=iw',
    'https://google.com.gt/maps?q=14.6407,-90.5133',
    'https://www.google.com.gt/maps?q=14.6407,-90.5133',
    'https://maps.google.com.mx/maps?q=14.6407,-90.5133',
    'https://www.google.hn/maps?q=14.6407,-90.5133',
    'http://maps.google.com/maps?q=14.6407,-90.5133',
    'HTTPS://WWW.GOOGLE.COM/maps?q=14.6407,-90.5133',
    'https://www.google.com:443/maps?q=14.6407,-90.5133',
    'https://www.google.com/maps/@14.6407,-90.5133,17z',
    'https://www.google.com/maps/@14.6407,-90.5133,15z',
    'https://www.google.com/maps/@14.6407,-90.5133,21.5z/data=!3m1!1e3',
    'https://www.google.com/maps/place/Mixco/@14.6,-90.5,17z/data=!3m1!4b1!4m5!3m4!1s0x0:0x1!8m2!3d14.6407!4d-90.5133',
    'https://waze.com/ul?ll=14.6407,-90.5133&navigate=yes',
    'https://www.waze.com/ul?ll=14.6407%2C-90.5133',
    'https://ul.waze.com/ul?ll=14.6407,-90.5133',
    'https://maps.apple.com/?ll=14.6407,-90.5133',
    'https://maps.apple.com/?q=14.6407,-90.5133',
    'https://maps.apple.com/?ll=14.6407,-90.5133&q=Mixco',
  ])('%j', (text) => {
    expect(readMapLink(text)).toMatchObject(PIN);
  });
});

describe('readMapLink chooses', () => {
  it.each<[what: string, text: string, lat: number, lng: number]>([
    ['the last pin', 'https://www.google.com/maps/place/X/data=!3d1!4d2!8m2!3d3!4d4', 3, 4],
    ['the pin before the query', 'https://www.google.com/maps/place/X/data=!3d3!4d4?q=1,2', 3, 4],
    ['the pin before the view', 'https://www.google.com/maps/place/X/@1,2,17z/data=!3d3!4d4', 3, 4],
    ['the query before the view', 'https://www.google.com/maps/@1,2,17z?q=3,4', 3, 4],
    ['the path before the view', 'https://www.google.com/maps/place/3.5,4.5/@1,2,17z', 3.5, 4.5],
    ['the path before the view', 'https://www.google.com/maps/place/3.5,+4.5/@1,2,17z/data=!4m2', 3.5, 4.5],
  ])('%s: %s', (_what, text, lat, lng) => {
    expect(readMapLink(text)).toMatchObject(at(lat, lng));
  });

  it.each([
    'https://www.google.com/maps/dir/A/B/@14.6,-90.5,16z/data=!4m8!1m1!1m5!2m2!1d-90.5133!2d14.6407',
    'https://www.google.com/maps/dir//14.6407,-90.5133/@14.6,-90.5,17z',
  ])('never the middle of a route as its end: %s', (text) => {
    expect(readMapLink(text)).not.toMatchObject(at(14.6, -90.5));
  });
});

describe('readMapLink', () => {
  it.each([
    'https://www.google.com/maps/place/Parque+Central/',
    'https://www.google.com/maps?cid=12345678901234567890',
    'https://www.google.com/maps/search/?api=1&query=Mixco&query_place_id=ChIJ',
    'https://www.google.com/maps?q=Mixco,+Guatemala',
    'https://waze.com/ul?venue_id=184549376.1845624835.1',
    'https://maps.apple.com/?address=Mixco,Guatemala',
  ])('reads %s as a place without coordinates', (text) => {
    expect(kindOf(text)).toBe('place');
  });

  it.each([
    'https://www.google.com/maps',
    'https://www.google.com/maps/@14.6407,-90.5133,14z',
    'https://www.google.com/maps/@14.6407,-90.5133,14.99z',
    'https://www.google.com/maps/@14.6407,-90.5133,6z',
    'https://maps.google.com/?spam=1',
    'https://www.google.com/maps/reserve/v/dine/c/abc',
  ])('reads %s as no place', (text) => {
    expect(kindOf(text)).toBe('unknown');
  });

  it.each([
    'https://maps.app.goo.gl/AbC123',
    'https://goo.gl/maps/AbC123',
    'http://maps.app.goo.gl/AbC123?g_st=iw',
  ])('reads %s as a short link', (text) => {
    expect(kindOf(text)).toBe('short');
  });

  it.each([
    ['latitude', '90.0000001,0'],
    ['latitude', '-91,10'],
    ['longitude', '10,180.0000001'],
    ['longitude', '10,-181'],
    ['latitude and longitude swapped', '-90.5133,14.6407'],
    ['0,0', '0,0'],
    ['0,0', '-0.000,+0.0'],
  ])('refuses coordinates out of range, and never corrects them (%s): %s', (_what, pair) => {
    const [lat, lng] = pair.replaceAll('+', '').split(',');
    const forms = [
      pair,
      `https://www.google.com/maps?q=${encodeURIComponent(pair)}`,
      `https://waze.com/ul?ll=${encodeURIComponent(pair)}`,
      `https://maps.apple.com/?ll=${encodeURIComponent(pair)}`,
      `https://www.google.com/maps/place/X/data=!3d${lat}!4d${lng}`,
      `https://www.google.com/maps/@${lat},${lng},17z`,
    ];
    expect(forms.map(kindOf)).toEqual(forms.map(() => 'unreadable'));
  });

  it.each([
    'https://www.google.com/maps/place/X/data=!3d14.6407!4d1234',
    'https://www.google.com/maps/place/X/data=!3d14.6407!4d-1800.5',
    'https://www.google.com/maps/place/X/data=!3d1464.07!4d-90.5133',
    'https://www.google.com/maps?q=14.6407,-9051.33',
    'https://www.google.com/maps/@1464.07,-90.5133,17z',
    'https://www.google.com/maps/@14.6407,-90.5133,171z',
    '14.6407,-9051.33',
    '14,6407,-90,5133',
    '14.6407 -90.5133 5',
    '1e1,2',
    'Infinity,NaN',
    '0x10,0x10',
  ])('does not read a part of a number: %s', (text) => {
    expect(kindOf(text)).not.toBe('coordinates');
  });

  it.each([
    ...['https://google.com.evil.com/maps?q=14.6,-90.5', 'https://evilgoogle.com/maps?q=14.6,-90.5'],
    ...['https://maps.google.evil.com/maps?q=14.6,-90.5', 'https://google.evil/maps?q=14.6,-90.5'],
    ...['https://sites.google.com/maps?q=14.6,-90.5', 'https://user@www.google.com/maps?q=14.6,-90.5'],
    ...['https://www.google.com:8443/maps?q=14.6,-90.5', 'https://127.0.0.1/maps?q=14.6,-90.5'],
    ...['https://[::1]/maps?q=14.6,-90.5', 'https://www.google.com/url?q=14.6,-90.5'],
    ...['https://www.google.com/mapsevil?q=14.6,-90.5', 'https://www.google.com/maps/../url?q=14.6,-90.5'],
    ...['https://apple.com/?ll=14.6,-90.5', 'https://goo.gl/AbC', 'https://goo.gl/mapsAbC'],
    ...['https://goo.gl/maps/../AbC', 'https://bit.ly/AbC'],
  ])('trusts exact hosts only, not %s', (text) => {
    expect(kindOf(text)).toBe('unsupported');
  });

  it.each([
    '',
    'hola',
    'maps.google.com',
    'google.com/maps',
    'www.google.com/maps/place/Parque+Central',
    'evil.com/maps?q=14.6,-90.5',
    'user@www.google.com/maps?q=14.6,-90.5',
    'www.google.com:8443/maps?q=14.6,-90.5',
    'intent://maps.google.com/maps?q=14.6,-90.5#Intent;scheme=https;end',
    'https:/www.google.com/maps?q=14.6,-90.5',
    'https:\\\\www.google.com/maps?q=14.6,-90.5',
    'https://www.google.com\t/maps?q=14.6,-90.5',
    '//www.google.com/maps?q=14.6,-90.5',
    'ftp://www.google.com/maps?q=14.6,-90.5',
    'javascript:alert(1)//https://www.google.com/maps?q=14.6,-90.5',
    'data:text/html,14.6,-90.5',
    'file:///maps?q=14.6,-90.5',
    'https://',
    'https://google.com%00.evil.com/maps?q=14.6,-90.5',
    'https://www.google.com:99999/maps?q=14.6,-90.5',
    'https://www.goo gle.com/maps?q=14.6,-90.5',
    '14.6',
    '14.6,',
  ])('reads %j as neither a link nor coordinates', (text) => {
    expect(kindOf(text)).toBe('unreadable');
  });

  it('reads up to 4,096 characters', () => {
    const link = 'https://www.google.com/maps?q=14.6407,-90.5133&x=';
    expect(readMapLink(link.padEnd(4_096, 'x'))).toMatchObject(PIN);
    expect(kindOf(link.padEnd(4_097, 'x'))).toBe('unreadable');
    expect(kindOf('1'.repeat(1_000_000))).toBe('unreadable');
  });
});
