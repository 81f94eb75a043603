import { TimeoutError, withTimeout } from '../../platform/timeouts/with-timeout.js';
import { readMapLinkIn } from '../map-link.js';
import type { MapLink } from '../reading.js';
import type { Expansion, ShortLinkClient } from './short-link.client.js';

export type ResolvedLink = Exclude<MapLink, { kind: 'short' }> | Expansion;

/**
 * Reads a pasted text, and asks the map service if it is a short link.
 * @param owner the merchant, guide or sender that asks; concurrent expansions are limited per owner.
 * @param until as a `performance.now()` timestamp; after it the link counts as unanswered, and no service is asked.
 */
export async function resolveMapLink(
  text: string,
  owner: string,
  links: ShortLinkClient,
  until?: number,
): Promise<ResolvedLink> {
  const link = readMapLinkIn(text);
  if (link.kind !== 'short') return link;
  if (until === undefined) return links.expand(link.url, owner);
  return expandUntil(until, () => links.expand(link.url, owner));
}

/** After the timeout the expansion goes on in the background, for the next request with its link. */
async function expandUntil(until: number, expand: () => Promise<Expansion>): Promise<Expansion> {
  const silent: Expansion = { kind: 'silent' };
  const ms = until - performance.now();
  if (ms <= 0) return silent;
  return withTimeout(ms, expand()).catch((error: unknown) => {
    if (error instanceof TimeoutError) return silent;
    throw error;
  });
}
