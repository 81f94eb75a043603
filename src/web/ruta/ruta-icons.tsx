/** Paths of 24 × 24 pixels, by their names. */
const PATHS = {
  ok: ['m4.5 12.5 5 5L19.5 7'],
  x: ['m6 6 12 12M18 6 6 18'],
  undo: ['M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3'],
  atras: ['M15 5l-7 7 7 7'],
  alerta: ['M12 3.8 2.8 19.7h18.4L12 3.8ZM12 10v4.2M12 17v.1'],
  senal: ['M4 20v-3M9 20v-6.5M14 20v-5M19 20V9M3.5 4.5l17 15'],
  dinero: ['M3 7h18v10H3zM6 10v.1M18 14v.1', 'M12 9.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8Z'],
  ruta: [
    'M6 15.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM18 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
    'M8.5 18H15a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h6.5',
  ],
  bodega: ['M4 20V9l8-5 8 5v11M4 20h16M8 20v-7h8v7M8 16.5h8'],
  nota: ['M5 4h14v11l-5 5H5V4ZM14 20v-5h5M8.5 8.5h7M8.5 12h4'],
  mapa: ['m3.5 6.5 5.7-2.3 5.6 2.6 5.7-2.3v13l-5.7 2.3-5.6-2.6-5.7 2.3v-13ZM9.2 4.2v13M14.8 6.8v13'],
  tel: [
    'M5 4h3.6l1.6 4.4-2.2 1.7a12 12 0 0 0 5.9 5.9l1.7-2.2L20 15.4V19a1.6 1.6 0 0 1-1.7 1.6A15 15 0 0 1 3.4 5.7 1.6 1.6 0 0 1 5 4Z',
  ],
  chat: ['M12 3.6a8.3 8.3 0 0 0-7.2 12.5L3.6 20.4l4.4-1.1A8.3 8.3 0 1 0 12 3.6Z', 'M8.5 10h7M8.5 13.5h4.5'],
  escanear: ['M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 8v8M11 8v8M13.5 8v8M16 8v8'],
  lupa: ['M10.8 4.5a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6ZM15.6 15.6l5 5'],
};

export type IconName = keyof typeof PATHS;

/** The icons of the page, drawn where they are used. */
export function RutaIcons() {
  return (
    <svg class="vh" aria-hidden="true">
      {Object.entries(PATHS).map(([name, paths]) => (
        <symbol id={`i-${name}`} viewBox="0 0 24 24">
          {paths.map((d) => (
            <path d={d} />
          ))}
        </symbol>
      ))}
    </svg>
  );
}
