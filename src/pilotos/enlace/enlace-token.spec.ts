import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { isOurToken, newToken } from './enlace-token.js';

const KEY = randomBytes(32);

describe("the token in the link to a driver's page", () => {
  it('is recognised with the key that made it, and with no other', () => {
    const token = newToken(KEY);
    expect(isOurToken(token, KEY)).toBe(true);
    expect(isOurToken(token, randomBytes(32))).toBe(false);
    expect(newToken(KEY)).not.toBe(token);
  });

  it('is not recognised with one character changed, added or missing', () => {
    const token = newToken(KEY);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09_-'), (at, letter) => {
        const edited = token.slice(0, at) + letter + token.slice(at + 1);
        expect(isOurToken(edited, KEY)).toBe(edited === token);
      }),
    );
    for (const edited of ['', token.slice(1), `${token}A`, `${token}\n`, token.replace(/.$/, '=')])
      expect(isOurToken(edited, KEY)).toBe(false);
  });
});
