import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledgement } from './clients.js';
import type { Verdict } from './checker.js';

/** ms between a failed request and its retry. */
const RETRY_MS = 100;

/** ms between walks: what creates and what falls need the machine, too. */
const PAUSE_MS = 100;

/** ms; above the time in which the service refuses a request. */
const TIMEOUT_MS = 10_000;

/** A guide as a list or an acknowledgement names it. */
type Named = Pick<Acknowledgement, 'id' | 'guia'>;

interface Page {
  guias: Named[];
  siguiente_cursor: string | null;
}

/**
 * What is wrong with a walk, in words.
 * @param older the guides that were acknowledged before it began; later ones may be shown or not.
 * @param shown all guides of all its pages, in their order.
 */
export function faultsOfWalk(older: readonly Named[], shown: readonly Named[]): string[] {
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const { id, guia } of shown) {
    if (seen.has(id)) faults.push(`a walk showed ${guia} twice`);
    seen.add(id);
  }
  for (const { id, guia } of older)
    if (!seen.has(id)) faults.push(`a walk skipped ${guia}, which was acknowledged before it`);
  return faults;
}

/** A merchant's system that follows the list of guides from its first page to its last, again and again. */
export class Walks {
  private readonly violations: string[] = [];
  private walks = 0;
  private isOver = false;
  private walking: Promise<void> | undefined;

  /**
   * @param url where the API listens now.
   * @param journal the guides that were acknowledged so far; each walk must show them.
   */
  constructor(
    private readonly key: string,
    private readonly url: () => string,
    private readonly journal: readonly Acknowledgement[],
  ) {}

  start(): void {
    this.walking = this.run();
    // `end` throws it.
    this.walking.catch(() => undefined);
  }

  /** Lets the walk under way end. @throws Error for an answer that a retry cannot change. */
  async end(): Promise<Verdict> {
    this.isOver = true;
    await this.walking;
    const { walks: trials, violations } = this;
    return { property: 'a walk shows each guide acknowledged before it once', trials, violations };
  }

  private async run(): Promise<void> {
    // At least one: a walk through what there is at the end.
    for (;;) {
      await this.walk();
      if (this.isOver) return;
      await sleep(PAUSE_MS);
    }
  }

  private async walk(): Promise<void> {
    const older = this.journal.slice();
    const shown: Page['guias'] = [];
    const limit = String(50 + ((this.walks * 37) % 51));
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await this.read(new URLSearchParams({ limit, ...(cursor && { cursor }) }));
      shown.push(...page.guias);
      cursor = page.siguiente_cursor;
    }
    this.violations.push(...faultsOfWalk(older, shown));
    this.walks++;
  }

  /** Reads a page, again where it failed. @throws Error for an answer that a retry cannot change. */
  private async read(query: URLSearchParams): Promise<Page> {
    for (;;) {
      const { status, page } = await this.ask(query);
      if (status === 200) return page as Page;
      if (status !== undefined && status < 500) throw new Error(`a page was answered with ${status}`);
      await sleep(RETRY_MS);
    }
  }

  /** Asks once; without a status where the service is killed, frozen or away. */
  private async ask(query: URLSearchParams): Promise<{ status?: number; page?: unknown }> {
    try {
      const response = await fetch(`${this.url()}/api/v1/guias?${query.toString()}`, {
        headers: { authorization: `Bearer ${this.key}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: response.status, page: await response.json() };
    } catch {
      return {};
    }
  }
}
