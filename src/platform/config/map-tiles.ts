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

interface Tiles {
  /** With {z}, {x} and {y}. */
  readonly url: string;
  /** Credit line; may contain links, or be empty. */
  readonly attribution: string;
}

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

/** The origins of map tiles, as sources of a Content-Security-Policy. */
export function tileSources(tiles: MapTiles | null): string[] {
  const urls = tiles ? [tiles.streets.url, ...(tiles.satellite ? [tiles.satellite.url] : [])] : [];
  return [...new Set(urls.map(tileSource))].filter((source) => source !== undefined);
}

/**
 * The origin of map tiles as a Content-Security-Policy source: `https://tile.example.com`, or
 * `https://*.example.com` where `{s}` in the address stands for one of several hosts. Undefined for tiles of
 * our own origin.
 */
function tileSource(url: string): string | undefined {
  const [, scheme, host] = /^(https?:)?\/\/([^/?#\s;,]+)/i.exec(url) ?? [];
  if (host === undefined) return undefined;
  // A policy accepts a wildcard only as the whole first label.
  return `${scheme === undefined ? '' : `${scheme}//`}${host.replace(/^.*\{\w+\}[^.]*/, '*')}`;
}
