import type { PageModel } from './page-model.js';

/**
 * Headers of every page: from other hosts nothing loads but map tiles, nothing is stored, no referrer shows the link.
 */
export function pageHeaders(tiles: PageModel['tiles']): Record<string, string> {
  const urls = tiles ? [tiles.streets.url, ...(tiles.satellite ? [tiles.satellite.url] : [])] : [];
  const sources = [...new Set(urls.map(tileSource))].filter((source) => source !== undefined);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...sources].join(' '),
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': 'geolocation=(self)',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    // Tile services require a referrer: `map.js` sends them the origin, which does not show the token.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
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
