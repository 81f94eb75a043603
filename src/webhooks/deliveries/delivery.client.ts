import { Agent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { checkedLookup, type Resolve } from '../../outbound/checked-lookup.js';
import { nameServers } from '../../outbound/name-servers.js';
import { post, PostError } from '../../outbound/post.js';
import { readRetryAfter } from '../../outbound/retry-after.js';
import { signWebhook } from '../../outbound/standard-webhooks.js';
import { answerText } from './answer-text.js';
import { readWebhookUrl } from '../endpoints/webhook-url.js';

/** For everything, from the look-up of the name to the last byte of the answer. */
const TIMEOUT_MS = 15_000;

/** For an answer's body once its head is there: it is only shown to people. */
const BODY_MS = 1_000;

/** Bytes of an answer's body that are read for the sake of its connection; with more, that is closed. */
const MAX_ANSWER = 16 * 1024;

/** An idle connection is closed before a server's usual five seconds are over, and never meets its end half-way. */
const IDLE_MS = 4_000;

/** For one of several addresses, before the next is tried; Node's own 250 ms are short across an ocean. */
const ADDRESS_MS = 2_500;

/** One try of a delivery. */
export interface Delivery {
  readonly url: string;
  /** The same on every try, so that the receiver knows a repeat. */
  readonly id: string;
  /** JSON, the same on every try. */
  readonly body: string;
  /** At least one; several while a secret is being replaced. */
  readonly keys: readonly Buffer[];
}

/** What became of a try. */
export interface DeliveryOutcome {
  /** Any 2xx, whatever became of its body. */
  readonly ok: boolean;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Milliseconds that it took. */
  readonly ms: number;
  /** The start of the answer's body, 1 KiB at most; null where there was none. */
  readonly answer: string | null;
  /**
   * Null where an answer came; else Node's code of the failure, like `ECONNREFUSED`, `ETIMEDOUT` where the time was
   * up, or `EADDRREFUSED`: the URL, or what its name stands for, is none that we send to.
   */
  readonly error: string | null;
  /** What a failure's `Retry-After` asks for, 0 to 24 h. */
  readonly retryAfterMs?: number;
  /** 410: the receiver wants no more of them, ever. */
  readonly gone: boolean;
}

/** Defaults are for production; what else there is but `allowPrivate`, is for tests. */
export interface DeliveryClientOptions {
  /** For networks of the operator's own: plain http and private addresses too. Default false. */
  readonly allowPrivate?: boolean;
  /** Milliseconds for everything. Default 15,000. */
  readonly timeoutMs?: number;
  /** In place of the name servers; its answers are checked all the same. */
  readonly lookup?: Resolve;
  /** In place of the rule for addresses of the public internet. */
  readonly isAllowedAddress?: (address: string) => boolean;
  /** The certificate to trust. Default: the usual authorities. */
  readonly ca?: string;
}

/**
 * Delivers webhooks to URLs that merchants chose, as Standard Webhooks asks: signed, no redirect followed, and
 * without `allowPrivate` to addresses of the public internet alone. Connections are kept for the next delivery; one
 * that breaks then is a failure like any other.
 */
export class DeliveryClient {
  private readonly agents: { http: Agent; https: TlsAgent };
  private readonly lookup: LookupFunction | undefined;

  constructor(private readonly options: DeliveryClientOptions = {}) {
    const { allowPrivate, lookup = nameServers(), isAllowedAddress, ca } = options;
    // Names of a private network may be in /etc/hosts alone.
    this.lookup = allowPrivate ? undefined : checkedLookup(lookup, isAllowedAddress);
    const kept: AgentOptions = {
      keepAlive: true,
      timeout: IDLE_MS,
      autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    };
    // Said here, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing.
    this.agents = { http: new Agent(kept), https: new TlsAgent({ ...kept, ca, rejectUnauthorized: true }) };
  }

  /** Never rejects, and takes 15 s at most. */
  async deliver(delivery: Delivery): Promise<DeliveryOutcome> {
    const startedAt = performance.now();
    const outcome = await this.attempt(delivery).catch((error: unknown) =>
      failure(error instanceof PostError ? error.code : 'ERROR'),
    );
    return { ...outcome, ms: Math.round(performance.now() - startedAt) };
  }

  /** Closes the connections that are kept, and those in use. */
  close(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private async attempt({ url, id, body, keys }: Delivery): Promise<Omit<DeliveryOutcome, 'ms'>> {
    const { allowPrivate, timeoutMs = TIMEOUT_MS } = this.options;
    // Again, because the rule may have changed since, and Node asks no `lookup` about a host that is an address.
    const read = readWebhookUrl(url, allowPrivate);
    if (!('href' in read)) return failure('EADDRREFUSED');
    const { status, headers, start } = await post(read.href, body, {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Guias-Webhooks/1',
        ...signWebhook(id, body, keys),
      },
      timeoutMs,
      bodyMs: BODY_MS,
      maxAnswer: MAX_ANSWER,
      lookup: this.lookup,
      agent: read.href.startsWith('https:') ? this.agents.https : this.agents.http,
    });
    // Node lets these through; there is no such status.
    if (status < 100) return failure('HPE_INVALID_STATUS');
    const ok = status >= 200 && status <= 299;
    const retryAfterMs = ok ? undefined : readRetryAfter(headers['retry-after']);
    const answer = answerText(start);
    return {
      ok,
      status,
      answer,
      error: null,
      gone: status === 410,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
}

function failure(code: string): Omit<DeliveryOutcome, 'ms'> {
  return { ok: false, status: null, answer: null, error: code, gone: false };
}
