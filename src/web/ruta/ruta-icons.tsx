import { PATHS as SHARED } from '../kit/icon.js';

const { check, back, alert, money, note, phone, speech, search, left } = SHARED;

/** Paths of 24 × 24 pixels, by their names. */
const PATHS = {
  ...{ check, back, alert, money, note, phone, speech, search, left },
  right: 'm9 5 7 7-7 7',
  x: 'm6 6 12 12M18 6 6 18',
  signal: 'M4 20v-3M9 20v-6.5M14 20v-5M19 20V9M3.5 4.5l17 15',
  route:
    'M6 15.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM18 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM8.5 18H15a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h6.5',
  depot: 'M4 20V9l8-5 8 5v11M4 20h16M8 20v-7h8v7M8 16.5h8',
  map: 'm3.5 6.5 5.7-2.3 5.6 2.6 5.7-2.3v13l-5.7 2.3-5.6-2.6-5.7 2.3v-13ZM9.2 4.2v13M14.8 6.8v13',
  scan: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 8v8M11 8v8M13.5 8v8M16 8v8',
};

export type IconName = keyof typeof PATHS;

/** The icons of the page, drawn where they are used. */
export function RutaIcons() {
  return (
    <svg class="vh" aria-hidden="true">
      {Object.entries(PATHS).map(([name, d]) => (
        <symbol id={`i-${name}`} viewBox="0 0 24 24">
          <path d={d} />
        </symbol>
      ))}
    </svg>
  );
}
