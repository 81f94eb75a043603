import { unsupported, type MapLink } from '../reading.js';

/** The paths of map links by exact host: a shortener's other links may lead anywhere. */
const PATHS = new Map<string, RegExp>([
  ['maps.app.goo.gl', /^\/[\w-]{1,64}\/?$/],
  ['goo.gl', /^\/maps\/[\w-]{1,64}\/?$/],
  ['maps.apple', /^\/p\/[\w.~-]{1,64}\/?$/],
  ['g.page', /^\/[\w.~%-]{1,200}(?:\/[\w.~%-]{1,200}){0,3}\/?$/],
  ['g.co', /^\/kgs\/[\w-]{1,64}\/?$/],
]);

export const SHORT_LINK_HOSTS = [...PATHS.keys()];

export function readShortLink(url: URL): MapLink {
  return PATHS.get(url.hostname)?.test(url.pathname) ? shortLink(url) : unsupported('path');
}

/** The short link to request, always over https. */
export function shortLink(url: URL): MapLink {
  return { kind: 'short', url: `https://${url.hostname}${url.pathname}${url.search}` };
}
