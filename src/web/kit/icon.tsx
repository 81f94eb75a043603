/** Icons of 24 px, drawn for these pages: always beside a word. */
const PATHS = {
  pin: 'M12 21.5c4.4-4.6 6.7-8.3 6.7-11.3a6.7 6.7 0 0 0-13.4 0c0 3 2.3 6.7 6.7 11.3ZM14.3 10a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0Z',
  house: 'M3.5 11.5 12 4l8.5 7.5M6 9.8V20h12V9.8M10 20v-5.5h4V20',
  check: 'm4.5 12.5 5 5L19.5 7',
  box: 'M4 8.2 12 4l8 4.2v7.6L12 20l-8-4.2V8.2ZM4 8.2l8 4.2 8-4.2M12 12.4V20',
  bike: 'M8.8 16.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM21.2 16.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM8.8 16.5h4.4l3-5.5H7.5L5.8 13.5M16.2 11 14.7 6.5h2.8M4 7h5v4H4z',
  back: 'M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3',
  stop: 'M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0ZM6 6l12 12',
  alert: 'M12 3.8 2.8 19.7h18.4L12 3.8ZM12 10v4.2M12 17v.1',
  send: 'M20.5 3.5 3.5 10l6.8 3.2M20.5 3.5 14.5 20.5l-4.2-7.3M20.5 3.5 10.3 13.2',
  speech: 'M12 3.6a8.3 8.3 0 0 0-7.2 12.5L3.6 20.4l4.4-1.1A8.3 8.3 0 1 0 12 3.6ZM8.5 10h7M8.5 13.5h4.5',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15L6 16.5ZM10 20.5h4',
  note: 'M5 4h14v11l-5 5H5V4ZM14 20v-5h5M8.5 8.5h7M8.5 12h4',
  money: 'M3 7h18v10H3zM14.4 12a2.4 2.4 0 1 1-4.8 0 2.4 2.4 0 0 1 4.8 0ZM6 10v.1M18 14v.1',
  pen: 'm4 20 1-4.5L16 4.5l3.5 3.5L8.5 19 4 20ZM13.5 7l3.5 3.5',
  person: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM4.5 20.5c.6-4 3.5-6 7.5-6s6.9 2 7.5 6',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
