import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMapLinkIn, readRedirect } from './map-link.js';
import type { Coordinates, MapLink } from './reading.js';

/** A pasted text and the expected reading: a point, a place without one (null), or a refusal. */
interface Case {
  id: string;
  tier: 1 | 2 | 3;
  input: string;
  expect: Coordinates | null | 'error';
  tolerance_m: number | null;
  /** The answers of the map services; no other URL may be requested. */
  hops?: { url: string; status: number; location: string | null }[];
  /** The addresses of host names, if they matter. */
  dns?: Record<string, string[]>;
}

interface Outcome {
  found: Coordinates | null | 'error';
  asked: string[];
}

/** The middle of a route's view, which the reference reads as the destination; we do not. */
const REFUSED_ON_PURPOSE = ['d051'];

const MAX_HOPS = 5;

const file = join(import.meta.dirname, '../../test/data/map-links.json');
const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[];

/** Follows the redirects of a case like `ShortLinkClient`. */
function follow({ input, hops = [], dns = {} }: Case): Outcome {
  const asked: string[] = [];
  let link = readMapLinkIn(input);
  while (link.kind === 'short') {
    const { url } = link;
    const isPrivate = (dns[new URL(url).hostname] ?? []).some((address) =>
      /^(?:127|10|192\.168)\./.test(address),
    );
    if (isPrivate || asked.length === MAX_HOPS || asked.includes(url)) return { found: 'error', asked };
    asked.push(url);
    const answer = hops.find((hop) => hop.url === url);
    if (!answer) throw new Error(`${url} was asked for`);
    if (answer.location === null) return { found: 'error', asked };
    link = readRedirect(answer.location, url);
  }
  return { found: outcome(link), asked };
}

function outcome(link: Exclude<MapLink, { kind: 'short' }>): Outcome['found'] {
  if (link.kind === 'coordinates') return { lat: link.lat, lng: link.lng };
  return link.kind === 'place' || link.kind === 'unknown' ? null : 'error';
}

function metresBetween(a: Coordinates, b: Coordinates): number {
  const perDegree = (Math.PI / 180) * 6_371_000;
  const shrink = Math.cos(((a.lat + b.lat) / 2) * (Math.PI / 180));
  return Math.hypot((a.lat - b.lat) * perDegree, (a.lng - b.lng) * perDegree * shrink);
}

function isAsExpected({ expect: expected, tolerance_m }: Case, { found }: Outcome): boolean {
  if (expected === null || expected === 'error') return found === expected;
  return found !== null && found !== 'error' && metresBetween(found, expected) <= tolerance_m!;
}

describe('the links that people paste', () => {
  const wrong = (tier: number) =>
    cases
      .filter((one) => one.tier === tier && !isAsExpected(one, follow(one)))
      .map(({ id, input, expect: expected }) => ({ id, input, expected }));

  it('are 266', () => {
    expect(cases).toHaveLength(266);
  });

  it.each([1, 2])('of tier %i are read as expected', (tier) => {
    expect(wrong(tier)).toEqual([]);
  });

  it('of tier 3 are read as expected, except those refused on purpose', () => {
    expect(wrong(3).map(({ id }) => id)).toEqual(REFUSED_ON_PURPOSE);
  });

  it('cause no request if they are not short', () => {
    const asking = cases.filter((one) => !one.hops && follow(one).asked.length > 0);
    expect(asking).toEqual([]);
  });

  it('that are short cause at most five requests, all over https', () => {
    const followed = cases.filter(({ hops, dns }) => hops && !dns).map((one) => follow(one).asked);
    for (const asked of followed) {
      expect(asked.length).toBeLessThanOrEqual(MAX_HOPS);
      expect(asked.filter((url) => !url.startsWith('https://'))).toEqual([]);
    }
  });
});
