/** The standard tiles of OpenStreetMap, whose terms ask for this credit and for a referrer. */
export const OPENSTREETMAP = {
  url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>',
};

export const TILE_URL_RULE = 'must contain {z}, {x} and {y}';

/** Whether a tile service's URL has all placeholders. */
export function isTileUrl(text: string): boolean {
  return ['{z}', '{x}', '{y}'].every((part) => text.includes(part));
}

/** One kind of map tiles. */
export interface Tiles {
  /** With {z}, {x} and {y}. */
  readonly url: string;
  /** Credit line; may contain links, or be empty. */
  readonly attribution: string;
}

/** The map tiles of the recipient's page. */
export interface MapTiles {
  readonly streets: Tiles;
  readonly satellite: Tiles | null;
}

/** The tiles that the variables `TILE_…` describe; null for a plain grid. */
export function toMapTiles(read: {
  TILE_URL: string;
  TILE_ATTRIBUTION?: string | undefined;
  TILE_URL_SATELLITE?: string | undefined;
  TILE_ATTRIBUTION_SATELLITE?: string | undefined;
}): MapTiles | null {
  const { TILE_URL: url, TILE_URL_SATELLITE: satellite } = read;
  if (url === 'none') return null;
  const attribution = read.TILE_ATTRIBUTION ?? (url === OPENSTREETMAP.url ? OPENSTREETMAP.attribution : '');
  return {
    streets: { url, attribution },
    satellite:
      satellite === undefined ? null : { url: satellite, attribution: read.TILE_ATTRIBUTION_SATELLITE ?? '' },
  };
}
