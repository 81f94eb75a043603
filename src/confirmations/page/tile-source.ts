/**
 * The origin that map tiles come from, as a Content-Security-Policy source: `https://tile.example.com`, or
 * `https://*.example.com` where the address has a `{s}` for one of several hosts. Undefined for tiles of
 * our own origin.
 */
export function tileSource(url: string): string | undefined {
  const [, scheme, host] = /^(https?:)?\/\/([^/?#\s;,]+)/i.exec(url) ?? [];
  if (host === undefined) return undefined;
  // A policy knows a wildcard only as the whole first label.
  return `${scheme === undefined ? '' : `${scheme}//`}${host.replace(/^.*\{\w+\}[^.]*/, '*')}`;
}
