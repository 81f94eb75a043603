import { v7 } from 'uuid';

/** First and last possible millisecond of a UUID version 7 (48 bits). */
const MAX_MS = 2 ** 48 - 1;

/** A new row's key (UUID version 7) and its creation time: the id carries the time, so both sort alike. */
export function newRowId(ms: number = Date.now()): { id: string; creadaEn: string } {
  return { id: v7({ msecs: ms }), creadaEn: new Date(ms).toISOString() };
}

/** A lower bound of every id made at `ms` or later; ids made before it are smaller. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), MAX_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Below and above every id. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
