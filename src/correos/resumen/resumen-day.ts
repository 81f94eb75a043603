import { dayOf, instantOf } from '../../platform/validation/time-zone.js';

const HOUR_MS = 3_600_000;

/** When a summary is written, and until when one is made up that was missed; hours of the merchant's day. */
const FROM_H = 7;
const UNTIL_H = 12;

export interface Morning {
  /** The day where the merchant is, like `2026-11-21`. */
  dia: string;
  /** Merchants made at this time or later begin the next day; ms since 1970. */
  madeBefore: number;
}

/** The morning of a zone; undefined at other times of its day. @param now ms since 1970. */
export function morningOf(zone: string, now: number): Morning | undefined {
  const dia = dayOf(now, zone);
  const at = (hour: number) => instantOf(Date.parse(`${dia}T00:00:00Z`) + hour * HOUR_MS, zone);
  return now >= at(FROM_H) && now < at(UNTIL_H) ? { dia, madeBefore: at(FROM_H) } : undefined;
}
