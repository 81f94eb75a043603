import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { HmacKey } from './hmac-key.js';

describe('HmacKey', () => {
  it('signs as HMAC-SHA-256 does, whatever the parts', () => {
    const anyKey = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));
    const anyPart = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(anyKey, fc.array(anyPart, { maxLength: 4 }), (key, parts) => {
        const expected = createHmac('sha256', key);
        for (const part of parts) expected.update(part);
        expect(new HmacKey(key).sign(...parts)).toEqual(expected.digest());
      }),
    );
  });

  it('takes no key that would have to be hashed first', () => {
    expect(() => new HmacKey(Buffer.alloc(65))).toThrow(RangeError);
  });
});
