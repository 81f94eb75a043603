import type { FastifyRequest } from 'fastify';
import { parseUrl } from '../config/parse-url.js';

/**
 * Against CSRF: browsers send a password or cookie with other sites' requests too, but name the site.
 * @param publicUrl an origin that is ours although a proxy rewrites `Host`. Over plain http browsers send no
 * `Sec-Fetch-Site`.
 */
export function isOwnPage({ headers, host }: FastifyRequest, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin, referer } = headers;
  if (site !== undefined) return site === 'same-origin';
  const from = origin ?? referer;
  const url = parseUrl(from ?? '');
  return (
    from === undefined || url?.host === host.toLowerCase() || (url !== undefined && url.origin === publicUrl)
  );
}
