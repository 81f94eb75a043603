import { dayOf, instantOf } from '../../platform/validation/time-zone.js';

const DAY_MS = 86_400_000;

/** The beginnings of the last days and of tomorrow, oldest first. @param count of days, today included. */
export function startsOfDays(now: number, count: number, zone: string): { dia: string; ms: number }[] {
  const today = Date.parse(dayOf(now, zone));
  return Array.from({ length: count + 1 }, (_, i) => {
    const dia = new Date(today + (i - count + 1) * DAY_MS).toISOString().slice(0, 10);
    return { dia, ms: instantOf(Date.parse(dia), zone) };
  });
}
