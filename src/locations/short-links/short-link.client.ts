import { request as requestHttp, type ClientRequest } from 'node:http';
import { request as requestHttps, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { AddressRefusedError, checkedLookup, type Resolve } from '../../outbound/checked-lookup.js';
import { readMapLink, readRedirect, type MapLink } from '../map-link.js';
import { Slots, type SlotLimits } from './slots.js';

/** What a short link stands for. */
export type Expansion =
  /** A point, and where in the full link it stood. */
  | Extract<MapLink, { kind: 'coordinates' }>
  /** A place, certainly without coordinates. */
  | { kind: 'place' }
  /** The map service says that it does not exist. */
  | { kind: 'broken' }
  /** It leads outside the known map services, to no place on earth, or nowhere. */
  | { kind: 'unsupported' }
  /** No answer, or none about the link: worth another try later. */
  | { kind: 'silent' };

/** Defaults are for production; what else there is, is for tests. */
export interface ShortLinkOptions {
  /** Asked in place of the map services: `https://HOST/PATH` as `resolverUrl/HOST/PATH`. No slash at the end. */
  resolverUrl?: string;
  logger?: Logger;
  /** In place of `dns.lookup`; its answers are checked all the same. */
  lookup?: Resolve;
  /** In place of the rule for addresses of the public internet. */
  isAllowedAddress?: (address: string) => boolean;
  /** Where the map services listen, and the certificate to trust. Default: 443, the usual authorities. */
  server?: { port: number; ca: string };
  /** Milliseconds for everything, the wait for a slot included. Default 5,000. */
  totalMs?: number;
  /** Milliseconds for one address of a chain. Default 2,000. */
  hopMs?: number;
  /** Milliseconds before a link that is said not to exist is asked for again. Default 1,000. */
  secondLookMs?: number;
  /** Simultaneous expansions in this process. Default 64, of one merchant 4. */
  slots?: SlotLimits;
}

/** What an answer's head says; the body is never read. */
interface Head {
  status: number;
  location: string | undefined;
}

const MAX_HOPS = 5;

/** Bytes of an answer's head. */
const MAX_HEAD = 16 * 1024;

const DAY_MS = 86_400_000;
const FOUND_MS = 30 * DAY_MS;
const FAILED_MS = 5 * 60_000;

/** Characters of the links remembered: some 100,000 of the usual kind. */
const CACHE_CHARACTERS = 4 * 1024 * 1024;

/** Some services send other programs to pages of their own. English: the letters of the compass in a link. */
const HEADERS = {
  'accept-language': 'en',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

/** No answer about the link; the message is a code for the log. */
class SilentError extends Error {}

const PLACE: Expansion = { kind: 'place' };
const BROKEN: Expansion = { kind: 'broken' };
const UNSUPPORTED: Expansion = { kind: 'unsupported' };
const SILENT: Expansion = { kind: 'silent' };

/**
 * Finds out what a short map link stands for, by asking its service for the redirect and reading that: no page
 * is ever fetched, least of all Google's, which may show where the *asker* is.
 *
 * The link comes from outside, so a request leaves for nothing but the short-link hosts of `readMapLink`, over
 * https and to public addresses.
 */
export class ShortLinkClient {
  private readonly known = new LRUCache<string, Expansion>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: (_, link) => link.length,
  });
  private readonly underway = new Map<string, Promise<Expansion>>();
  private readonly slots: Slots;
  private readonly lookup: LookupFunction;

  constructor(private readonly options: ShortLinkOptions = {}) {
    const { lookup, isAllowedAddress, slots = { total: 64, perOwner: 4 } } = options;
    this.slots = new Slots(slots);
    this.lookup = checkedLookup(lookup, isAllowedAddress);
  }

  /**
   * Never rejects, and takes 5 s at most. A link that is not short is read without a request.
   * @param owner whose request it is (the merchant's id): each has a limit of simultaneous expansions.
   */
  async expand(link: string, owner: string): Promise<Expansion> {
    const url = toStep(readMapLink(link));
    if (!(url instanceof URL)) return url;
    return this.known.get(url.href) ?? this.underway.get(url.href) ?? this.start(url, owner);
  }

  private start(url: URL, owner: string): Promise<Expansion> {
    const started = this.run(url, owner).finally(() => this.underway.delete(url.href));
    this.underway.set(url.href, started);
    return started;
  }

  private async run(url: URL, owner: string): Promise<Expansion> {
    const startedAt = performance.now();
    const [result, why] = await this.attempt(url, owner, startedAt + (this.options.totalMs ?? 5_000));
    const ttl = result.kind === 'coordinates' ? FOUND_MS : FAILED_MS;
    if (result.kind !== 'silent') this.known.set(url.href, result, { ttl });
    const ms = Math.round(performance.now() - startedAt);
    this.options.logger?.info({ host: url.host, result: result.kind, ...(why && { why }), ms }, 'short link');
    return result;
  }

  /** The result, and for the log a code of what went wrong. */
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
      const hopDeadline = Math.min(deadline, performance.now() + (this.options.hopMs ?? 2_000));
      next = readHead(await this.ask(next, hopDeadline), next);
    }
    return next;
  }

  /** Asks by HEAD, and again by GET where a service knows no HEAD, or says that the link does not exist. */
  private async ask(url: URL, deadline: number): Promise<Head> {
    const head = await this.send('HEAD', url, deadline);
    if (head.status === 405 || head.status === 501) return this.send('GET', url, deadline);
    // Google denies a link now and then that it knows a moment later.
    const pauseMs = this.options.secondLookMs ?? 1_000;
    if (head.status !== 404 || performance.now() + pauseMs >= deadline) return head;
    await sleep(pauseMs);
    return this.send('GET', url, deadline);
  }

  private send(method: 'HEAD' | 'GET', url: URL, deadline: number): Promise<Head> {
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())));
    // A connection of its own: one taken from a pool may lead to an address that nobody checked.
    const options = { method, headers: HEADERS, signal, agent: false, maxHeaderSize: MAX_HEAD } as const;
    return readResponse(this.open(url, options));
  }

  private open(url: URL, options: RequestOptions): ClientRequest {
    const { resolverUrl, server } = this.options;
    if (resolverUrl === undefined) return requestHttps(url, { ...options, ...server, lookup: this.lookup });
    const request = resolverUrl.startsWith('https:') ? requestHttps : requestHttp;
    return request(`${resolverUrl}/${url.host}${url.pathname}${url.search}`, options);
  }
}

/** What a link says by itself, or the address to ask what it stands for. */
function toStep(link: MapLink): Expansion | URL {
  if (link.kind === 'short') return new URL(link.url);
  return link.kind === 'coordinates' || link.kind === 'place' ? link : UNSUPPORTED;
}

function readHead({ status, location }: Head, asked: URL): Expansion | URL {
  if (status === 404 || status === 410) return BROKEN;
  if (status >= 200 && status < 300) return PLACE;
  if (status < 300 || status >= 400 || location === undefined) throw new SilentError(`HTTP_${status}`);
  const target = readRedirect(location, asked.href);
  // Who asks too often is sent to a riddle, which says nothing about the link.
  if (target.kind === 'unsupported' && target.reason === 'captcha') throw new SilentError('CAPTCHA');
  return toStep(target);
}

function readResponse(request: ClientRequest): Promise<Head> {
  return new Promise((resolve, reject) => {
    // Stays for good: a connection may break after its answer as well.
    request.on('error', reject);
    request.once('close', () => reject(new SilentError('CLOSED')));
    request.once('response', ({ statusCode = 0, headers: { location } }) => {
      // Node reads bytes as Latin-1, where services write UTF-8.
      resolve({ status: statusCode, location: location && Buffer.from(location, 'latin1').toString() });
      request.destroy();
    });
    request.end();
  });
}

/** Like `HTTP_503`, or Node's code of the failure, like `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  if (error instanceof SilentError) return error.message;
  const { code, name } = error as NodeJS.ErrnoException;
  return code === 'ABORT_ERR' ? 'ETIMEDOUT' : (code ?? name);
}
