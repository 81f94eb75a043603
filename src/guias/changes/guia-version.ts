/** A guide's ETag (RFC 9110): strong, and different after each change. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * A tag as it comes back through a proxy. One that compresses makes the tag weak, or adds the coding: `"1-gzip"`
 * (Apache, Caddy), `"1--gzip"` (Jetty), `"1;gzip"` (LiteSpeed), `"1"-gzip` (old Apache).
 */
const TAG = /^(?:W\/)?"(\d+)(?:[-;]{1,2}[a-z]+)?"(?:-[a-z]+)?$/i;

export function matchesVersion(ifMatch: string, version: number): boolean {
  return ifMatch.split(',').some((written) => {
    const tag = written.trim();
    return tag === '*' || TAG.exec(tag)?.[1] === String(version);
  });
}
