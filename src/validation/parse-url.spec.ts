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

  // `URL.canParse` says no to nearly all of them.
  it('reads letters beyond ASCII also the hundred-thousandth time', () => {
    let read = 0;
    for (let n = 0; n < 100_000; n++) if (parseUrl('https://cafetería.example/año')) read++;
    expect(read).toBe(100_000);
  });
});
