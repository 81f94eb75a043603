import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { location, metaJson, signed, webhookBody } from '../../../../test/support/whatsapp-bodies.js';
import { isSignedByMeta } from './webhook-signature.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const RAW = Buffer.from(
  metaJson(webhookBody({ messages: [location({ latitude: 14.6, longitude: -90.5, name: 'Día de Ángel' })] })),
);
const HEADER = signed(RAW, SECRET)['x-hub-signature-256'];

describe('the signature of a webhook', () => {
  it('accepts a signature made by OpenSSL', () => {
    // printf '{"a":1}' | openssl dgst -sha256 -hmac secreto
    const header = 'sha256=87c6bf752c360faf8b89e2d9ed15dcc45e947f9ecdf9c4b637c8fa62d691c598';
    expect(isSignedByMeta(Buffer.from('{"a":1}'), header, 'secreto')).toBe(true);
  });

  it('accepts the raw bytes, but not the same JSON serialised again', () => {
    expect(isSignedByMeta(RAW, HEADER, SECRET)).toBe(true);
    expect(RAW.toString()).toContain('\\u00e');
    expect(isSignedByMeta(Buffer.from(JSON.stringify(JSON.parse(RAW.toString()))), HEADER, SECRET)).toBe(
      false,
    );
  });

  it('accepts any bytes with the right key only', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), fc.string(), (bytes, secret, other) => {
        const raw = Buffer.from(bytes);
        const header = signed(raw, secret)['x-hub-signature-256'];
        expect(isSignedByMeta(raw, header, secret)).toBe(true);
        expect(isSignedByMeta(raw, header.toUpperCase().replace('SHA256', 'sha256'), secret)).toBe(true);
        // HMAC pads a key with zeros.
        if (secret.replace(/\0+$/, '') !== other.replace(/\0+$/, ''))
          expect(isSignedByMeta(raw, header, other)).toBe(false);
        expect(isSignedByMeta(Buffer.concat([raw, Buffer.of(0)]), header, secret)).toBe(false);
      }),
    );
  });

  it('refuses a signature with any character changed', () => {
    const accepted = [...HEADER].flatMap((original, at) =>
      [...'0123456789abcdef=s é\0']
        .filter((character) => character !== original)
        .map((character) => HEADER.slice(0, at) + character + HEADER.slice(at + 1))
        .filter((edited) => isSignedByMeta(RAW, edited, SECRET)),
    );
    expect(accepted).toEqual([]);
  });

  it.each<[what: string, header: unknown]>([
    ['none', undefined],
    ['null', null],
    ['an empty one', ''],
    ['the prefix alone', 'sha256='],
    ['a cut one', HEADER.slice(0, -1)],
    ['a cut one of whole bytes', HEADER.slice(0, -2)],
    ['one with more behind it', `${HEADER}00`],
    ['one with a line break', `${HEADER}\n`],
    ['one with a space', ` ${HEADER}`],
    ['no prefix', HEADER.slice('sha256='.length)],
    ['the older SHA-1', `sha1=${createHmac('sha1', SECRET).update(RAW).digest('hex')}`],
    ['base64', `sha256=${createHmac('sha256', SECRET).update(RAW).digest('base64')}`],
    ['two of them', [HEADER, HEADER]],
    ['two joined', `${HEADER}, ${HEADER}`],
    ['a number', 7],
  ])('refuses %s', (_what, header) => {
    expect(isSignedByMeta(RAW, header, SECRET)).toBe(false);
  });

  it('refuses a missing body', () => {
    for (const body of [undefined, null, {}, 'x']) {
      expect(isSignedByMeta(body as Buffer, HEADER, SECRET)).toBe(false);
    }
    expect(isSignedByMeta(Buffer.alloc(0), HEADER, SECRET)).toBe(false);
  });
});
