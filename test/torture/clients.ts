import { setTimeout as sleep } from 'node:timers/promises';
import { guiaBody } from '../support/guia-body.js';

/** ms between a failed request and its retry. */
const RETRY_MS = 100;

/** ms; above the time in which the service refuses a request. */
const TIMEOUT_MS = 10_000;

/** The service's answer that a guide exists. */
export interface Acknowledgement {
  ref: string;
  id: string;
  guia: string;
  /** 201, or 200 if an earlier request created it. */
  status: number;
}

/** Well-behaved clients: they send a guide, with its own reference, until it is acknowledged. */
export class Clients {
  /** Kept outside the processes that are killed. */
  readonly journal: Acknowledgement[] = [];
  /** Why requests were retried: a status, or `connection`. */
  readonly refusals: (number | 'connection')[] = [];
  private next = 0;
  /** Guides asked for so far; several calls may be under way. */
  private planned = 0;

  /**
   * @param url where the API listens now.
   * @param size concurrent requests.
   */
  constructor(
    private readonly key: string,
    private readonly url: () => string,
    private readonly size: number,
  ) {}

  /** Creates so many guides, and waits until all are acknowledged. */
  async create(count: number): Promise<void> {
    const end = (this.planned += count);
    const client = async () => {
      while (this.next < end) await this.createOne(this.next++);
    };
    await Promise.all(Array.from({ length: this.size }, client));
  }

  private async createOne(n: number): Promise<void> {
    const ref = `pedido-${n}`;
    for (;;) {
      const outcome = await this.post({ external_ref: ref, telefono: `+502${40_000_000 + n}` });
      if (typeof outcome === 'object') return void this.journal.push({ ref, ...outcome });
      this.refusals.push(outcome);
      await sleep(RETRY_MS);
    }
  }

  /** @throws Error for an answer that a retry cannot change. */
  private async post(
    over: Record<string, unknown>,
  ): Promise<Omit<Acknowledgement, 'ref'> | number | 'connection'> {
    let status: number;
    let body: any;
    try {
      const response = await fetch(`${this.url()}/api/v1/guias`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(guiaBody(over)),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      status = response.status;
      body = await response.json();
    } catch {
      return 'connection';
    }
    if (status >= 500) return status;
    if (status !== 200 && status !== 201)
      throw new Error(`a create was answered with ${status}: ${body.codigo}`);
    return { id: body.id, guia: body.guia, status };
  }
}
