import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a cursor is bound to. */
export interface CursorScope {
  comercioId: string;
  /** The filters as they were understood (not as written): two spellings of one instant are one filter. */
  filters: readonly unknown[];
}

const ID_BYTES = 16;
/** With the id 30 bytes, a multiple of 3: base64url then has no spare bits that could be edited unseen. */
const TAG_BYTES = 14;
const FORM = /^[A-Za-z0-9_-]{40}$/;

/**
 * The place after guide `id`, in a form that only we can make: it names the last guide shown and is
 * signed together with merchant and filters. It does not expire.
 */
export function encodeCursor(id: string, scope: CursorScope, key: Buffer): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, sign(bytes, scope, key)]).toString('base64url');
}

/** The id inside a cursor; undefined when it is not one of ours for this merchant and these filters. */
export function decodeCursor(cursor: string, scope: CursorScope, key: Buffer): string | undefined {
  if (!FORM.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const id = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), sign(id, scope, key))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function sign(id: Buffer, { comercioId, filters }: CursorScope, key: Buffer): Buffer {
  const tag = createHmac('sha256', key)
    .update(id)
    .update(JSON.stringify([comercioId, ...filters]));
  return tag.digest().subarray(0, TAG_BYTES);
}
