import { request as requestHttp, type ClientRequest } from 'node:http';
import { globalAgent, request as requestHttps, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { AddressRefusedError, checkedLookup, type Resolve } from '../../platform/outbound/checked-lookup.js';
import { readMapLink, readRedirect } from '../map-link.js';
import type { MapLink } from '../reading.js';
import { Slots, type SlotLimits } from './slots.js';

/** The target of a short link. */
export type Expansion =
  | Extract<MapLink, { kind: 'coordinates' }>
  /** A place without coordinates. */
  | { kind: 'place' }
  /** A page of a map service in a form that shows no place that can be read. */
  | Extract<MapLink, { kind: 'unknown' }>
  /** The map service answered that the link does not exist. */
  | { kind: 'broken' }
  /** The link leads outside the known map services, to coordinates out of range, or in a redirect loop. */
  | { kind: 'unsupported' }
  /** The map service did not answer; a later attempt may succeed. */
  | { kind: 'silent' };

/** Production sets `resolverUrl`, `logger` and `totalMs`; the rest is for tests. */
export interface ShortLinkOptions {
  /** Replaces the map services: requests `resolverUrl/HOST/PATH` for `https://HOST/PATH`. No trailing slash. */
  resolverUrl?: string;
  logger?: Logger;
  /** Replaces `dns.lookup`; its results are still checked. */
  lookup?: Resolve;
  /** Replaces the rule that only addresses of the public internet are allowed. */
  isAllowedAddress?: (address: string) => boolean;
  /** Port of the map services and the CA to trust. Default: 443 and Node's CAs. */
  server?: { port: number; ca: string };
  /** ms; timeout of an expansion, including the wait for a slot. Default 5,000. */
  totalMs?: number;
  /** ms before a link that got 404 is requested again. Default 1,000. */
  secondLookMs?: number;
  /** Concurrent expansions in this process. Default 64, and 4 per owner. */
  slots?: SlotLimits;
}

/** The head of a response; the body is never read. */
interface Head {
  status: number;
  location: string | undefined;
}

const MAX_HOPS = 5;

/** Statuses with which some services reject HEAD although GET redirects. */
const HEAD_REFUSED = [400, 403, 405, 501];

/** Bytes of a response's head. */
const MAX_HEAD = 16 * 1024;

const DAY_MS = 86_400_000;
const FOUND_MS = 30 * DAY_MS;
const FAILED_MS = 5 * 60_000;

/** Characters of all links in the cache: about 100,000 links of the usual length. */
const CACHE_CHARACTERS = 4 * 1024 * 1024;

/** Some services redirect unknown user agents elsewhere; compass letters depend on the accepted language. */
const HEADERS = {
  'accept-language': 'en',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

/**
 * Node's own agent where NODE_USE_ENV_PROXY makes it use HTTPS_PROXY, which resolves the names. Else a connection is not
 * reused: a pooled one may lead to an address that was not checked.
 */
const AGENT = (globalAgent.options as { proxyEnv?: object }).proxyEnv ? globalAgent : false;

/** The map service gave no answer about the link; the message is a code for the log. */
class SilentError extends Error {}

const PLACE: Expansion = { kind: 'place' };
const BROKEN: Expansion = { kind: 'broken' };
const UNSUPPORTED: Expansion = { kind: 'unsupported' };
const SILENT: Expansion = { kind: 'silent' };

/**
 * Expands short map links by reading their service's redirect. It never fetches a page: Google's may show where the
 * *client* is.
 *
 * Links are user input, so requests go only to the short-link hosts of `readMapLink`, over https and to public
 * addresses.
 */
export class ShortLinkClient {
  private readonly cache = new LRUCache<string, Expansion>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: (_, link) => link.length,
  });
  private readonly inFlight = new Map<string, Promise<Expansion>>();
  private readonly slots: Slots;
  private readonly lookup: LookupFunction;

  constructor(readonly options: ShortLinkOptions = {}) {
    const { lookup, isAllowedAddress, slots = { total: 64, perOwner: 4 } } = options;
    this.slots = new Slots(slots);
    this.lookup = checkedLookup(lookup, isAllowedAddress);
  }

  /**
   * Never rejects; takes at most `totalMs`. A link that is not short is read without a request.
   * @param owner the merchant, guide or sender that asks; concurrent expansions are limited per owner.
   */
  async expand(link: string, owner: string): Promise<Expansion> {
    const url = toStep(readMapLink(link));
    if (!(url instanceof URL)) return url;
    return this.cache.get(url.href) ?? this.inFlight.get(url.href) ?? this.start(url, owner);
  }

  private start(url: URL, owner: string): Promise<Expansion> {
    const started = this.run(url, owner).finally(() => this.inFlight.delete(url.href));
    this.inFlight.set(url.href, started);
    return started;
  }

  private async run(url: URL, owner: string): Promise<Expansion> {
    const startedAt = performance.now();
    const [result, why] = await this.attempt(url, owner, startedAt + (this.options.totalMs ?? 5_000));
    const ttl = result.kind === 'coordinates' ? FOUND_MS : FAILED_MS;
    if (result.kind !== 'silent') this.cache.set(url.href, result, { ttl });
    const ms = Math.round(performance.now() - startedAt);
    this.options.logger?.info({ host: url.host, result: result.kind, ...(why && { why }), ms }, 'short link');
    return result;
  }

  /** The result, and a code for the log if something failed. */
  private async attempt(
    url: URL,
    owner: string,
    deadline: number,
  ): Promise<[result: Expansion, why?: string]> {
    const release = await this.slots.take(owner, deadline - performance.now());
    if (!release) return [SILENT, 'BUSY'];
    try {
      return [await this.follow(url, deadline)];
    } catch (error) {
      return [error instanceof AddressRefusedError ? UNSUPPORTED : SILENT, codeOf(error)];
    } finally {
      release();
    }
  }

  private async follow(first: URL, deadline: number): Promise<Expansion> {
    const asked = new Set<string>();
    let next: Expansion | URL = first;
    while (next instanceof URL) {
      if (asked.has(next.href) || asked.size === MAX_HOPS) return UNSUPPORTED;
      asked.add(next.href);
      next = readHead(await this.ask(next, deadline), next);
    }
    return next;
  }

  /** Sends HEAD, then GET if the service refuses HEAD or answers 404. */
  private async ask(url: URL, deadline: number): Promise<Head> {
    const head = await this.send('HEAD', url, deadline);
    if (HEAD_REFUSED.includes(head.status)) return this.send('GET', url, deadline);
    // Google sometimes answers 404 for an existing link.
    const pauseMs = this.options.secondLookMs ?? 1_000;
    if (head.status !== 404 || performance.now() + pauseMs >= deadline) return head;
    await sleep(pauseMs);
    return this.send('GET', url, deadline);
  }

  private send(method: 'HEAD' | 'GET', url: URL, deadline: number): Promise<Head> {
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())));
    const options = { method, headers: HEADERS, signal, agent: false, maxHeaderSize: MAX_HEAD } as const;
    return readResponse(this.open(url, options));
  }

  private open(url: URL, options: RequestOptions): ClientRequest {
    const { resolverUrl, server } = this.options;
    if (resolverUrl === undefined)
      return requestHttps(url, { ...options, ...server, lookup: this.lookup, agent: AGENT });
    const request = resolverUrl.startsWith('https:') ? requestHttps : requestHttp;
    return request(`${resolverUrl}/${url.host}${url.pathname}${url.search}`, options);
  }
}

/** The result, if the link itself contains it, or the URL to request next. */
function toStep(link: MapLink): Expansion | URL {
  if (link.kind === 'short') return new URL(link.url);
  return link.kind === 'unsupported' || link.kind === 'unreadable' ? UNSUPPORTED : link;
}

function readHead({ status, location }: Head, asked: URL): Expansion | URL {
  if (status === 404 || status === 410) return BROKEN;
  if (status >= 200 && status < 300) return PLACE;
  if (status < 300 || status >= 400 || location === undefined) throw new SilentError(`HTTP_${status}`);
  const target = readRedirect(location, asked.href);
  // Google's rate limit; it says nothing about the link.
  if (target.kind === 'unsupported' && target.reason === 'captcha') throw new SilentError('CAPTCHA');
  return toStep(target);
}

function readResponse(request: ClientRequest): Promise<Head> {
  return new Promise((resolve, reject) => {
    // Not `once`: a connection may also fail after its response.
    request.on('error', reject);
    request.once('close', () => reject(new SilentError('CLOSED')));
    request.once('response', ({ statusCode = 0, headers: { location } }) => {
      // Node decodes headers as Latin-1, but services send UTF-8.
      resolve({ status: statusCode, location: location && Buffer.from(location, 'latin1').toString() });
      request.destroy();
    });
    request.end();
  });
}

/** Our code, such as `HTTP_503`, or Node's, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  if (error instanceof SilentError) return error.message;
  const { code, name } = error as NodeJS.ErrnoException;
  return code === 'ABORT_ERR' ? 'ETIMEDOUT' : (code ?? name);
}
