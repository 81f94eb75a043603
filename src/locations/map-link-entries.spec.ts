import { readMapLink, readMapLinkIn, readRedirect } from './map-link.js';

const PIN = { kind: 'coordinates', lat: 14.6407, lng: -90.5133 };
const LINK = 'https://maps.google.com/?q=14.6407,-90.5133';
const SHORT = { kind: 'short', url: 'https://maps.app.goo.gl/AbC123' };

describe('readMapLink', () => {
  it.each([
    ['https://maps.app.goo.gl/AbC123', 'https://maps.app.goo.gl/AbC123'],
    ['http://maps.app.goo.gl/AbC123', 'https://maps.app.goo.gl/AbC123'],
    ['http://maps.app.goo.gl:80/AbC123', 'https://maps.app.goo.gl/AbC123'],
    ['HTTPS://Maps.App.Goo.GL/AbC123?g_st=iw#x', 'https://maps.app.goo.gl/AbC123?g_st=iw'],
    ['maps.app.goo.gl/AbC123', 'https://maps.app.goo.gl/AbC123'],
    ['\u200ehttps://maps.app.goo.gl/AbC123\u2069', 'https://maps.app.goo.gl/AbC123'],
    ['https://goo.gl/maps/AbC123', 'https://goo.gl/maps/AbC123'],
    ['https://maps.apple/p/A-b_C.1~2', 'https://maps.apple/p/A-b_C.1~2'],
    ['https://g.page/la-tienda?share', 'https://g.page/la-tienda?share'],
    ['https://g.page/r/CabC_12/review', 'https://g.page/r/CabC_12/review'],
    ['https://g.co/kgs/AbC12', 'https://g.co/kgs/AbC12'],
    ['https://yandex.ru/maps/-/CLAvMI18', 'https://yandex.ru/maps/-/CLAvMI18'],
  ])('reads %s as a short link, with the URL %s to request', (text, url) => {
    expect(readMapLink(text)).toEqual({ kind: 'short', url });
  });

  it.each([
    ...['https://maps.app.goo.gl/', 'https://maps.app.goo.gl/a/b', 'https://maps.app.goo.gl/a%2fb'],
    ...['https://goo.gl/AbC123', 'https://goo.gl/maps/', 'https://goo.gl/maps/%2e%2e/AbC123'],
    ...['https://maps.apple/AbC', 'https://g.co/AbC', 'https://g.co/kgs/../AbC', 'https://g.page/'],
  ])('refuses %s, which is not the path of a short map link', (text) => {
    expect(readMapLink(text)).toEqual({ kind: 'unsupported', reason: 'path' });
  });

  it.each([
    ['a consent page', `https://consent.google.com/m?continue=${LINK}`],
    ['a consent page', `https://consent.google.com.gt/ml?hl=es&continue=${encodeURIComponent(LINK)}&gl=GT`],
    ['a forwarding link', `https://maps.app.goo.gl/?apn=x&link=${encodeURIComponent(LINK)}`],
    [
      'both',
      `https://consent.google.com/m?continue=${encodeURIComponent(`https://maps.app.goo.gl/?link=${LINK}`)}`,
    ],
  ])('reads the link inside %s without a request: %s', (_what, text) => {
    expect(readMapLink(text)).toMatchObject(PIN);
  });

  it.each([
    'https://evil.com/maps?q=14.6,-90.5',
    'http://127.0.0.1/maps?q=14.6,-90.5',
    'https://user@www.google.com/maps?q=14.6,-90.5',
    'https://www.google.com:8443/maps?q=14.6,-90.5',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '14.6,-90.5',
    '',
    'https://consent.google.com/m?continue=https://consent.google.com/m?continue=' + LINK,
  ])('refuses a link inside a wrapper that it would refuse by itself: %s', (inner) => {
    const wrapped = `https://consent.google.com/m?continue=${encodeURIComponent(
      `https://consent.google.com/m?continue=${encodeURIComponent(inner)}`,
    )}`;
    expect(readMapLink(wrapped).kind).toBe('unsupported');
  });

  it.each(['geo:14.6407,-90.5133', 'GEO:14.6407,-90.5133;u=35', 'geo:0,0?q=14.6407,-90.5133(Casa)'])(
    'takes %s',
    (text) => {
      expect(readMapLink(text)).toMatchObject(PIN);
    },
  );

  it.each([
    ['host', 'https://evil.com/'],
    ['path', 'https://www.google.com/search?q=14.6,-90.5'],
    ['credentials', 'https://user@www.google.com/maps'],
    ['port', 'https://www.google.com:8443/maps'],
    ['captcha', 'https://www.google.com/sorry/index?continue=' + LINK],
    ['wrapper', 'https://consent.google.com/m?continue=x'],
    ['ambiguous', `${LINK}&q=15.1,-91.2`],
    ['out_of_range', 'https://maps.google.com/?q=91,200'],
    ['malformed', 'https://maps.google.com/?q=1,2,3'],
    ['text', 'hola'],
    ['length', 'x'.repeat(5_000)],
  ])('gives a reason without the text: %s', (reason, text) => {
    expect(readMapLink(text)).toMatchObject({ reason });
  });
});

describe('readMapLinkIn finds the link', () => {
  it.each([
    LINK,
    `📍 ${LINK}`,
    `📍${LINK}`,
    `Ubicación:${LINK}`,
    `Estoy aquí (${LINK}).`,
    `«${LINK}»`,
    `${LINK} la casa verde`,
    `${LINK}\nla casa verde`,
    `la casa verde\n${LINK}\nsegundo nivel`,
    `${LINK} y el otro https://maps.google.com/?q=15.1,-91.2`,
    `https://instagram.com/la.tienda ${LINK}`,
    'Ven a maps.google.com/?q=14.6407,-90.5133 por favor',
    'https://maps.google.com/maps?q=loc:14.6407,-90.5133 (Casa de Ana)',
    'https://maps.google.com/?q=14.6407, -90.5133',
    'pega geo:14.6407,-90.5133 en tu mapa',
    'la casa verde\nhttps://maps.google.com/?q=14.6407, -90.5133\nsegundo nivel',
    'mira https://maps.google.com/?q=14,6407, -90,5133 por favor',
    ...['-', '1.', '1.-', '=', '#', 'ubicación=', 'Dir.', 'Mapa-', 'casa2', 'pin,'].map(
      (before) => before + LINK,
    ),
  ])('%j', (text) => {
    expect(readMapLinkIn(text)).toMatchObject(PIN);
  });

  it.each([
    'Farmacia Galeno https://maps.app.goo.gl/AbC123',
    'https://maps.app.goo.gl/AbC123 Farmacia Galeno',
    'Farmacia Galeno\n4a calle 5-10\nhttps://maps.app.goo.gl/AbC123',
    'mira: https://maps.app.goo.gl/AbC123, te espero',
  ])('if it is short: %j', (text) => {
    expect(readMapLinkIn(text)).toEqual(SHORT);
  });

  it('among the first 32 words alone', () => {
    const after = (words: number) => `${'palabra '.repeat(words)}${LINK}`;
    expect(readMapLinkIn(after(31))).toMatchObject(PIN);
    expect(readMapLinkIn(after(32)).kind).toBe('unreadable');
  });

  it.each([
    ['in another URI', `data:text/html,${LINK}`],
    ['in another URI', `javascript:location="${LINK}"`],
    ['in another URI', `view-source:${LINK}`],
    ['in another link', `https://evil.com/?u=${LINK}`],
    ['in another link', `mira https://evil.com/${LINK}`],
    ['after a path', `evil.com/${LINK}`],
    ['after a host', `evil.com${LINK}`],
    ['after a parameter', `mira evil?u=${LINK}`],
    ['in numbers alone', 'el precio es 12.50,15.75 y la talla 14.5,3.2'],
    ['in a host that a line break cuts', 'https://maps.google.com\n.evil.com/?q=14.6407,-90.5133'],
  ])('but not %s: %j', (_what, text) => {
    expect(readMapLinkIn(text).kind).toMatch(/^(?:unsupported|unreadable|unknown)$/);
  });
});

describe('readRedirect', () => {
  const BASE = 'https://maps.app.goo.gl/AbC123';

  it.each([
    [LINK, PIN],
    [`https://consent.google.com/ml?continue=${encodeURIComponent(LINK)}`, PIN],
    ['geo:14.6407,-90.5133', PIN],
    ['/AbC123', SHORT],
    ['//maps.google.com/?q=14.6407,-90.5133', PIN],
    ['https://www.google.com/maps/place/Farmacia/data=!4m2!3m1!1s0x1:0x2', { kind: 'place' }],
    ['https://www.google.com/search?kgmid=/g/11abc&q=14.6,-90.5', { kind: 'place' }],
    ['https://www.google.com/share.google?q=abc', { kind: 'place' }],
  ])('%s', (location, expected) => {
    expect(readRedirect(location, BASE)).toMatchObject(expected);
  });

  it.each([
    ['path', '14.6407,-90.5133'],
    ['host', 'https://evil.com/'],
    ['host', 'https://evil.com/search?q=14.6,-90.5'],
    ['host', '//evil.com/maps?q=14.6,-90.5'],
    ['host', 'http://[::ffff:10.0.0.1]/maps?q=14.6,-90.5'],
    ['credentials', 'https://user:pw@www.google.com/maps?q=14.6,-90.5'],
    ['port', 'https://www.google.com:8443/maps?q=14.6,-90.5'],
    ['captcha', 'https://www.google.com/sorry/index?continue=' + LINK],
    ['captcha', 'https://ipv4.google.com/sorry/index?continue=' + LINK],
    ['scheme', 'file:///etc/passwd'],
    ['scheme', 'intent://maps.google.com/maps?q=14.6,-90.5#Intent;scheme=https;end'],
    ['scheme', 'javascript:alert(1)'],
    ['out_of_range', 'https://www.google.com/maps?q=91.5,200'],
    ['text', 'https://'],
    ['length', 'https://maps.google.com/?q=14.6,-90.5&x='.padEnd(5_000, 'x')],
  ])('refuses a redirect with the reason %s: %s', (reason, location) => {
    expect(readRedirect(location, 'https://goo.gl/maps/AbC123')).toMatchObject({ reason });
  });
});

describe('a link that another program changed', () => {
  it.each([
    ['https://maps.app.goo.gl/\nAbC123', 'short'],
    ['https://maps.google.com/?q=14.6407,\n-90.5133', 'coordinates'],
    ['https://maps.google.com/?q=\r\n14.6407,-90.5133', 'coordinates'],
    ['Lat 14°38\'26.5"N Long 90°30\'47.9"W', 'coordinates'],
    ['Latitud: 14°38\'26.5"N, Longitud: 90°30\'47.9"O', 'coordinates'],
    [
      'https://l.facebook.com/l.php?u=https%3A%2F%2Fmaps.google.com%2F%3Fq%3D14.6407%2C-90.5133&h=AT0',
      'coordinates',
    ],
    ['https://l.instagram.com/?u=https%3A%2F%2Fmaps.app.goo.gl%2FAbC123&e=AT0', 'short'],
    ['https://l.wl.co/l?u=https%3A%2F%2Fmaps.app.goo.gl%2FAbC123', 'short'],
    [
      'https://nam12.safelinks.protection.outlook.com/?url=https%3A%2F%2Fmaps.app.goo.gl%2FAbC123&data=05',
      'short',
    ],
    ['https://www.google.com/url?q=https://maps.app.goo.gl/AbC123&sa=D', 'short'],
    [
      'https://www.google.com/url?sa=t&url=https%3A%2F%2Fmaps.google.com%2F%3Fq%3D14.6407%2C-90.5133',
      'coordinates',
    ],
    ['https://l.facebook.com/l.php?u=https%3A%2F%2Fevil.example%2F%3Fq%3D14.6407%2C-90.5133', 'unsupported'],
    ['https://l.facebook.com.evil.example/l.php?u=https%3A%2F%2Fmaps.app.goo.gl%2FAbC123', 'unsupported'],
    ['https://what3words.com/filled.count.soap', 'unsupported'],
    ['https://foursquare.com/v/x/4b0', 'unsupported'],
  ])('is read without a request: %j is %s', (text, kind) => {
    expect(readMapLinkIn(text).kind).toBe(kind);
  });
});
