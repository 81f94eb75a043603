import { parseUrl } from '../../platform/config/parse-url.js';

/** A link that a merchant sent; clickable only if it is a web address. */
export function MapLink({ url }: { url: string }) {
  const { protocol } = parseUrl(url) ?? {};
  if (protocol !== 'https:' && protocol !== 'http:') return <>{url}</>;
  return (
    <a href={url} rel="noreferrer noopener">
      {url}
    </a>
  );
}

/** Five decimals of a degree are a metre. */
export function coordinatesText(lat: number, lng: number): string {
  return [lat, lng].map((degrees) => String(Number(degrees.toFixed(5)))).join(', ');
}

export function MapPoint({ lat, lng }: { lat: number; lng: number }) {
  return (
    <a
      href={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`}
      rel="noreferrer noopener"
    >
      {coordinatesText(lat, lng)}
    </a>
  );
}

/** Characters of a part of a path that may be a secret. */
const SECRET_LENGTH = 20;

/** Host and path of an endpoint, without parts that may be secret: the query, and long parts of the path. */
export function shownUrl(url: string): string {
  const { host, pathname } = new URL(url);
  const path = pathname
    .split('/')
    .map((part) => (part.length >= SECRET_LENGTH ? '…' : part))
    .join('/');
  return host + (path === '/' ? '' : path);
}
