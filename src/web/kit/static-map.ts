import type { Coordinates } from '../../locations/reading.js';

/** Pixels of a tile's side. */
const TILE = 256;

/** Of a map, in pixels of its tiles. */
export const WIDTH = 640;
export const HEIGHT = 320;

/** Shows the streets around a door. */
const MAX_ZOOM = 16;

/** Pixels around the points. */
const MARGIN = 60;

/** Web Mercator ends here. */
const MAX_LAT = 85;

/** A tile, and its place on the map. */
export interface Tile {
  z: number;
  x: number;
  y: number;
  left: number;
  top: number;
}

/** A map as a picture: its tiles, and where on it the points are. */
export interface StaticMap {
  tiles: Tile[];
  points: { left: number; top: number }[];
}

/** Lays a map around one or more points, as near as shows all of them. */
export function staticMap(points: readonly Coordinates[]): StaticMap {
  const zoom = zoomFor(points);
  const placed = points.map((point) => pixelOf(point, zoom));
  const left = middle(placed.map(({ left }) => left)) - WIDTH / 2;
  const top = middle(placed.map(({ top }) => top)) - HEIGHT / 2;
  const count = 2 ** zoom;
  const tiles: Tile[] = [];
  for (let y = Math.floor(top / TILE); y * TILE < top + HEIGHT; y++)
    for (let x = Math.floor(left / TILE); x * TILE < left + WIDTH; x++)
      if (y >= 0 && y < count)
        tiles.push({
          z: zoom,
          x: ((x % count) + count) % count,
          y,
          left: Math.round(x * TILE - left),
          top: Math.round(y * TILE - top),
        });
  return {
    tiles,
    points: placed.map((point) => ({
      left: Math.round(point.left - left),
      top: Math.round(point.top - top),
    })),
  };
}

/** The address of a tile. @param url with `{z}`, `{x}` and `{y}`; `{s}` names one of several hosts, `{r}` is for sharp screens. */
export function tileUrl(url: string, { z, x, y }: Tile): string {
  const parts: Record<string, string | number> = { z, x, y, s: 'abc'[(x + y) % 3]!, r: '' };
  return url.replace(/\{([a-z])\}/g, (whole, name: string) => String(parts[name] ?? whole));
}

function zoomFor(points: readonly Coordinates[]): number {
  for (let zoom = MAX_ZOOM; zoom > 0; zoom--) {
    const placed = points.map((point) => pixelOf(point, zoom));
    const isIn = (side: 'left' | 'top', size: number) => {
      const values = placed.map((point) => point[side]);
      return Math.max(...values) - Math.min(...values) <= size - 2 * MARGIN;
    };
    if (isIn('left', WIDTH) && isIn('top', HEIGHT)) return zoom;
  }
  return 0;
}

/** Web Mercator, in pixels from the north-west corner of the world. */
function pixelOf({ lat, lng }: Coordinates, zoom: number): { left: number; top: number } {
  const size = TILE * 2 ** zoom;
  const radians = (Math.max(-MAX_LAT, Math.min(MAX_LAT, lat)) * Math.PI) / 180;
  return {
    left: ((lng + 180) / 360) * size,
    top: ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * size,
  };
}

const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
