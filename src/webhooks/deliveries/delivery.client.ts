import { Agent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { ADDRESS_REFUSED, checkedLookup, type Resolve } from '../../platform/outbound/checked-lookup.js';
import { nameServers } from '../../platform/outbound/name-servers.js';
import { post, PostError, UnsendableError } from '../../platform/outbound/post.js';
import { readRetryAfter } from '../../platform/outbound/retry-after.js';
import { signWebhook } from '../../platform/outbound/standard-webhooks.js';
import { answerText } from './answer-text.js';
import { readWebhookUrl } from '../endpoints/webhook-url.js';

/** ms; timeout of the response body after its head: the body is only shown to people. */
const BODY_MS = 1_000;

/** Bytes of a response body read to keep the connection alive; a longer body closes it. */
const MAX_ANSWER = 16 * 1024;

/** ms; shorter than the 5 s after which servers usually close idle connections, else a request could hit that close. */
const IDLE_MS = 4_000;

/** ms before the next of several addresses is tried; Node's default of 250 is too short across an ocean. */
const ADDRESS_MS = 2_500;

/** One attempt. */
export interface Delivery {
  readonly url: string;
  /** The same on every attempt, so that the receiver recognises repeats. */
  readonly id: string;
  /** JSON, the same on every attempt. */
  readonly body: string;
  /** At least one; two while a secret is being rotated. */
  readonly keys: readonly Buffer[];
  /** ms for the whole attempt, from the DNS lookup to the last byte of the response. */
  readonly timeoutMs: number;
}

export interface DeliveryOutcome {
  /** Any 2xx, even if its body breaks off. */
  readonly ok: boolean;
  /** Null without a response. */
  readonly status: number | null;
  /** Duration. */
  readonly ms: number;
  /** The start of the response body, at most 1 KiB; null if it is empty. */
  readonly answer: string | null;
  /**
   * Null with a response; else why there was none, for the merchant: `EADDRREFUSED` if the URL, or an address of its
   * name, is not one we send to; `ECONNECT` if there was no connection; then Node's code, like `ECONNRESET`, or
   * `ETIMEDOUT` at the limit.
   */
  readonly error: string | null;
  /** Null with a response; else Node's own code, for the operator's log. */
  readonly code: string | null;
  /** `Retry-After` of a failure, 0 to 24 h. */
  readonly retryAfterMs?: number;
  /** Status 410: the receiver wants no more messages. */
  readonly gone: boolean;
}

/** All but `allowPrivate` is for tests; the defaults are for production. */
export interface DeliveryClientOptions {
  /** Allows plain http and private addresses, for endpoints in the operator's own network. Default false. */
  readonly allowPrivate?: boolean;
  /** Replaces the name servers; its answers are checked all the same. */
  readonly lookup?: Resolve;
  /** Replaces the rule that only public addresses are allowed. */
  readonly isAllowedAddress?: (address: string) => boolean;
  /** Trusted certificate. Default: Node's certificate authorities. */
  readonly ca?: string;
}

/**
 * Sends messages to URLs that merchants chose, as Standard Webhooks asks: signed, without following redirects, and
 * unless `allowPrivate` to public addresses only. Connections are kept alive; if a reused one breaks, that is a
 * failed attempt like any other.
 */
export class DeliveryClient {
  private readonly agents: { http: Agent; https: TlsAgent };
  private readonly lookup: LookupFunction | undefined;

  constructor(private readonly options: DeliveryClientOptions = {}) {
    const { allowPrivate, lookup = nameServers(), isAllowedAddress, ca } = options;
    // With `allowPrivate` use the system's resolver: private names may exist only in /etc/hosts.
    this.lookup = allowPrivate ? undefined : checkedLookup(lookup, isAllowedAddress);
    const agentOptions: AgentOptions = {
      keepAlive: true,
      timeout: IDLE_MS,
      autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    };
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    this.agents = {
      http: new Agent(agentOptions),
      https: new TlsAgent({ ...agentOptions, ca, rejectUnauthorized: true }),
    };
  }

  /** Never rejects. */
  async deliver(delivery: Delivery): Promise<DeliveryOutcome> {
    const startedAt = performance.now();
    const outcome = await this.attempt(delivery).catch(failureOf);
    return { ...outcome, ms: Math.round(performance.now() - startedAt) };
  }

  /** Closes all connections, also those in use. */
  close(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private async attempt(delivery: Delivery): Promise<Omit<DeliveryOutcome, 'ms'>> {
    const { url, id, body, keys, timeoutMs } = delivery;
    // Checked again: the setting may have changed, and Node does not call `lookup` for an IP address.
    const read = readWebhookUrl(url, this.options.allowPrivate);
    if (!('href' in read)) return failure(ADDRESS_REFUSED);
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
    // Node accepts these, but there is no such status.
    if (status < 100) return failure('HPE_INVALID_STATUS');
    const ok = status >= 200 && status <= 299;
    const retryAfterMs = ok ? undefined : readRetryAfter(headers['retry-after']);
    const answer = answerText(start, headers['content-encoding']);
    return {
      ok,
      status,
      answer,
      error: null,
      code: null,
      gone: status === 410,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
}

/** Every failed connection has the same code for merchants: different ones would tell which ports are open. */
function failureOf(error: unknown): Omit<DeliveryOutcome, 'ms'> {
  if (!(error instanceof PostError)) return failure('ERROR');
  const { code, hasLeft } = error;
  const isConnection = !hasLeft && !(error instanceof UnsendableError) && code !== ADDRESS_REFUSED;
  return failure(isConnection ? 'ECONNECT' : code, code);
}

function failure(error: string, code = error): Omit<DeliveryOutcome, 'ms'> {
  return { ok: false, status: null, answer: null, error, code, gone: false };
}
