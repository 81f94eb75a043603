import { tileSources } from '../../platform/config/map-tiles.js';
import { linkPageHeaders } from '../kit/link-page-headers.js';
import type { PageModel } from './page-model.js';

/** Headers of every page. Tile services require a referrer: `map.js` sends them the origin, which does not show the token. */
export function pageHeaders(tiles: PageModel['tiles']): Record<string, string> {
  return linkPageHeaders({ images: tileSources(tiles), permissions: 'geolocation=(self)' });
}
