import { readMapLink, readMapLinkIn, type MapLink } from '../map-link.js';
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

/** The part of a pasted text that says where: all of it, or the link among other words. */
export function linkIn(text: string): string {
  const saysWhere = (part: string) => ['coordinates', 'short', 'place'].includes(readMapLink(part).kind);
  const links = text.match(/https?:\/\/[^\s<>"]{1,2048}/gi) ?? [];
  return saysWhere(text) ? text.trim() : (links.find(saysWhere) ?? text.trim());
}
