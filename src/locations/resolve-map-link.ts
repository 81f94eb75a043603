import { readMapLinkIn, type MapLink } from './map-link.js';
import type { Expansion, ShortLinkClient } from './short-link.client.js';

/** What a pasted text says about a place, once nobody is left to be asked. */
export type ResolvedLink = Exclude<MapLink, { kind: 'short' }> | Expansion;

/**
 * Reads a pasted text, and asks its map service where only that knows.
 * @param owner the merchant's id: bounds how much is asked at once for one of them.
 */
export async function resolveMapLink(
  text: string,
  owner: string,
  links: ShortLinkClient,
): Promise<ResolvedLink> {
  const link = readMapLinkIn(text);
  return link.kind === 'short' ? links.expand(link.url, owner) : link;
}
