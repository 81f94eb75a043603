import type { Lugar } from '../phone-data.js';

/** Milliseconds for which a position says where something was done. */
const FRESH = 5 * 60_000;

/** The phone's place, with how far off it may be, in metres. */
export interface Position extends Lugar {
  at: number;
  precision: number;
}

let position: Position | null = null;

/** Whether the phone has said its place since the page was opened. */
export const isLocated = () => position !== null;

export const freshPosition = () => (position && Date.now() - position.at < FRESH ? position : null);

/** Whether the page may know the phone's place: `prompt` where the browser would ask. */
export async function placePermission(): Promise<'granted' | 'denied' | 'prompt'> {
  const { geolocation, permissions } = navigator as Partial<Navigator>;
  if (!geolocation || !window.isSecureContext) return 'denied';
  const found = await permissions?.query({ name: 'geolocation' }).catch(() => null);
  return found?.state ?? 'prompt';
}

/** @param done is called once the phone has answered, with a place or without. */
export function locate(done: () => void): void {
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
      const [lat, lng] = [round(coords.latitude), round(coords.longitude)];
      position = { lat, lng, at: Date.now(), precision: coords.accuracy };
      done();
    },
    done,
    { enableHighAccuracy: true, timeout: 20_000 },
  );
}
