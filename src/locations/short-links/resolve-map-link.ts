import { readMapLink, readMapLinkIn, type MapLink } from '../map-link.js';
import type { Expansion, ShortLinkClient } from './short-link.client.js';

/** The reading of a pasted text after short links have been expanded. */
export type ResolvedLink = Exclude<MapLink, { kind: 'short' }> | Expansion;

/**
 * Reads a pasted text, and asks the map service if it is a short link.
 * @param owner the merchant's id, which simultaneous expansions are limited by.
 */
export async function resolveMapLink(
  text: string,
  owner: string,
  links: ShortLinkClient,
): Promise<ResolvedLink> {
  const link = readMapLinkIn(text);
  return link.kind === 'short' ? links.expand(link.url, owner) : link;
}

/** The part of a pasted text that names a place: all of it, or the link among other words. */
export function linkIn(text: string): string {
  const namesPlace = (part: string) => ['coordinates', 'short', 'place'].includes(readMapLink(part).kind);
  const links = text.match(/https?:\/\/[^\s<>"]{1,2048}/gi) ?? [];
  return namesPlace(text) ? text.trim() : (links.find(namesPlace) ?? text.trim());
}
