import { createHmac, timingSafeEqual } from 'node:crypto';

/** A position in a list: the sort keys of the last row shown. */
export interface Position {
  id: string;
  /** Milliseconds since 1970, 0 to 2⁴⁸ - 1; only where the order is one of time. */
  ms?: number;
}

/** The list that a cursor is bound to. */
export interface CursorScope {
  comercioId: string;
  /** By id alone, or by time and then id. */
  order: 'id' | 'time';
  /** As parsed, so that two spellings of one instant are one filter. */
  filters: readonly unknown[];
}

const MS_BYTES = 6;
const ID_BYTES = 16;
/** Cursors have 30 or 36 bytes. With a multiple of 3, base64url has no unused bits, which could be edited unnoticed. */
const TAG_BYTES = 14;
const FORM = { id: /^[A-Za-z0-9_-]{40}$/, time: /^[A-Za-z0-9_-]{48}$/ };

/**
 * A cursor for the page after `position`, signed together with merchant and filters. It does not expire.
 * Cursors of the two orders differ in length, so that neither is accepted for the other.
 */
export function encodeCursor(position: Position, scope: CursorScope, key: Buffer): string {
  const bytes = toBytes(position, scope.order);
  return Buffer.concat([bytes, sign(bytes, scope, key)]).toString('base64url');
}

/** The position in a cursor; undefined when it is not valid for this merchant, order and these filters. */
export function decodeCursor(cursor: string, scope: CursorScope, key: Buffer): Position | undefined {
  if (!FORM[scope.order].test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(0, -TAG_BYTES);
  if (!timingSafeEqual(bytes.subarray(-TAG_BYTES), sign(position, scope, key))) return undefined;
  return fromBytes(position, scope.order);
}

function toBytes({ id, ms }: Position, order: CursorScope['order']): Buffer {
  const idBytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  if (order === 'id') return idBytes;
  const msBytes = Buffer.alloc(MS_BYTES);
  msBytes.writeUIntBE(ms!, 0, MS_BYTES);
  return Buffer.concat([msBytes, idBytes]);
}

function fromBytes(bytes: Buffer, order: CursorScope['order']): Position {
  const hex = bytes.subarray(-ID_BYTES).toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return order === 'id' ? { id } : { id, ms: bytes.readUIntBE(0, MS_BYTES) };
}

function sign(position: Buffer, { comercioId, filters }: CursorScope, key: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(position)
    .update(JSON.stringify([comercioId, ...filters]))
    .digest()
    .subarray(0, TAG_BYTES);
}
