import { parseUrl } from './parse-url.js';

describe('parseUrl', () => {
  it.each([
    ['https://cafetería.example/año', undefined, 'https://xn--cafetera-i2a.example/a%C3%B1o'],
    ['/maps/place/Peña', 'https://www.google.com/x', 'https://www.google.com/maps/place/Pe%C3%B1a'],
    ['/maps', undefined, undefined],
    ['https://', undefined, undefined],
    ['', undefined, undefined],
  ])('reads %j from %j as %j', (text, base, href) => {
    expect(parseUrl(text, base)?.href).toBe(href);
  });

  // `URL.canParse` of Node 20 refuses nearly all of them.
  it('still reads non-ASCII letters after 100,000 calls', () => {
    let read = 0;
    for (let n = 0; n < 100_000; n++) if (parseUrl('https://cafetería.example/año')) read++;
    expect(read).toBe(100_000);
  });
});
