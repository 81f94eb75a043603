import { linkPageHeaders } from '../../html/link-page-headers.js';
import type { PageModel } from './page-model.js';

/** Headers of every page. Tile services require a referrer: `map.js` sends them the origin, which does not show the token. */
export function pageHeaders(tiles: PageModel['tiles']): Record<string, string> {
  const urls = tiles ? [tiles.streets.url, ...(tiles.satellite ? [tiles.satellite.url] : [])] : [];
  const images = [...new Set(urls.map(tileSource))].filter((source) => source !== undefined);
  return linkPageHeaders({ images, permissions: 'geolocation=(self)' });
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
