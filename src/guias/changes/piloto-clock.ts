/** Hours before an event's receipt that its time may lie, where it counts for money, closings and deadlines. */
const BACK_H = 24;

/** Bounds of the time of a driver's event that is applied. ISO 8601, by our clock. */
export interface ClockBounds {
  /** Now; for an event that staff applies later too. */
  ahora: string;
  recibido_en: string;
  creada_en: string;
  /** When it was first assigned to the driver; null if it never was. */
  desde: string | null;
  /** When the guide came to its state; null until its first move. */
  estado_en: string | null;
}

/**
 * The time that counts of an applied event: what the phone said, but neither before the guide was theirs to move, nor before
 * the move before, nor `BACK_H` before its receipt, nor in the future. A pure function.
 */
export function clampedTime(said: string, bounds: ClockBounds): string {
  const { ahora, recibido_en, creada_en, desde, estado_en } = bounds;
  const earliest = Math.max(
    Date.parse(recibido_en) - BACK_H * 3_600_000,
    ...[creada_en, desde, estado_en].filter((time) => time !== null).map((time) => Date.parse(time)),
  );
  return new Date(Math.min(Math.max(Date.parse(said), earliest), Date.parse(ahora))).toISOString();
}

/** The earlier of two times, ISO 8601. */
export const earlier = (one: string, other: string): string =>
  Date.parse(one) < Date.parse(other) ? one : other;
