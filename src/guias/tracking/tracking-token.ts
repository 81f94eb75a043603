import { createHmac, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 16;
/** 128 bits. */
const MAC_BYTES = 16;

/** Whether a text can be a tracking token; the tokens of messages are shorter. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

export interface TrackedGuia {
  /** UUID. */
  id: string;
  /** `secuencia` of the event that last changed the recipient's phone: links from before it no longer work. */
  telefono_secuencia: number | null;
}

/** The secret part of a guide's tracking link: 43 characters, the guide's id and its MAC. Nothing of it is stored. */
export function trackingToken(guia: TrackedGuia, key: Buffer): string {
  return Buffer.concat([Buffer.from(guia.id.replaceAll('-', ''), 'hex'), macOf(guia, key)]).toString(
    'base64url',
  );
}

/** The id of the guide that a token claims to be for, as 32 hex digits; undefined for a text that cannot be a token. */
export function claimedId(token: string): string | undefined {
  return FORM.test(token) ? Buffer.from(token, 'base64url').toString('hex', 0, ID_BYTES) : undefined;
}

export function isTokenOf(token: string, guia: TrackedGuia, key: Buffer): boolean {
  const expected = Buffer.from(trackingToken(guia, key));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function macOf({ id, telefono_secuencia }: TrackedGuia, key: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(`${id}.${telefono_secuencia ?? 0}`)
    .digest()
    .subarray(0, MAC_BYTES);
}
