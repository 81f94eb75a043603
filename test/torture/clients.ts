import { setTimeout as sleep } from 'node:timers/promises';
import { guiaBody } from '../support/test-app.js';

/** Requests in flight at the same time. */
const CLIENTS = 16;

/** Milliseconds between a request that failed and its repeat. */
const RETRY_MS = 100;

/** Milliseconds; longer than the service takes to refuse. */
const PATIENCE_MS = 10_000;

/** What a client was told: the guide exists. */
export interface Acknowledgement {
  ref: string;
  id: string;
  guia: string;
  /** 201, or 200 where an earlier try had made it. */
  status: number;
}

/** Clients that do what clients should: they send a guide under its own ref until it is acknowledged. */
export class Clients {
  /** Outside of the processes that are killed. */
  readonly journal: Acknowledgement[] = [];
  /** Why requests were sent again: a status, or `connection`. */
  readonly refusals: (number | 'connection')[] = [];
  private next = 0;

  /** @param url where the API listens at the moment. */
  constructor(
    private readonly key: string,
    private readonly url: () => string,
  ) {}

  /** Creates so many guides, and waits for the last acknowledgement. */
  async create(count: number): Promise<void> {
    const end = this.next + count;
    const client = async () => {
      while (this.next < end) await this.createOne(this.next++);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
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

  /** @throws Error at an answer that no repeat will mend. */
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
        signal: AbortSignal.timeout(PATIENCE_MS),
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
