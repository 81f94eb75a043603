import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { tokenHash, tokenOf } from './token.js';

const keyOf = (byte: number) => Buffer.alloc(32, byte);
const KEY = keyOf(1);
const ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const TOKEN = tokenOf(ID, KEY);

describe('the token of a link', () => {
  it('is the same for the same message and key, so a retry sends the same link', () => {
    expect(tokenOf(ID, keyOf(1))).toBe(TOKEN);
  });

  it('differs by message and by key', () => {
    const other = ID.replace(/7$/, '8');
    expect(new Set([TOKEN, tokenOf(other, KEY), tokenOf(ID, keyOf(2))]).size).toBe(3);
  });

  it('has at least 128 bits and needs no escaping in a URL', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const token = tokenOf(id, KEY);
        expect(Buffer.from(token, 'base64url').length * 8).toBeGreaterThanOrEqual(128);
        expect(encodeURIComponent(token)).toBe(token);
      }),
    );
  });

  it('reveals nothing about its message', () => {
    expect(TOKEN).not.toContain(ID.slice(0, 4));
    expect(
      Buffer.from(TOKEN, 'base64url').includes(Buffer.from(ID.replaceAll('-', ''), 'hex').subarray(0, 4)),
    ).toBe(false);
  });

  it('is stored as its SHA-256', () => {
    expect(tokenHash(TOKEN)).toEqual(createHash('sha256').update(TOKEN).digest());
  });

  it.each([
    ['empty', ''],
    ['too short', TOKEN.slice(1)],
    ['too long', `${TOKEN}A`],
    ['padded', `${TOKEN.slice(0, 23)}=`],
    ['with a slash', `${TOKEN.slice(0, 23)}/`],
    ['with a NUL', `${TOKEN.slice(0, 23)}\0`],
    ['with a line break', `${TOKEN}\n`],
    ['not ASCII', `${TOKEN.slice(0, 23)}é`],
  ])('has no hash if it is %s', (_, text) => expect(tokenHash(text)).toBeUndefined());
});
