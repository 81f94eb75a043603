import type { Logger } from 'pino';
import type { QueueDefinition } from './queue-definition.js';
import type { NewJob, QueuesService } from './queues.service.js';
import { Sweep } from './sweep.js';

/** How much longer than a look the rest after it is: a large backlog is looked at, but not all the time. */
const REST = 10;

/** Rows looked at together. */
const PAGE = 500;

/** What is to be restored, and how. */
export interface Restoration<Row, Names extends string, Data> {
  /** For the log: what is queued again. */
  readonly what: string;
  /** Milliseconds between looks. */
  readonly everyMs: number;
  readonly queue: QueueDefinition<Names, Data>;
  /** Rows that should have been worked on by now, after `last`, in a fixed order; at most `limit`. */
  readonly overdue: (last: Row | undefined, limit: number) => Promise<Row[]>;
  /** The job that a row ought to have. */
  readonly jobOf: (row: Row) => NewJob<Names, Data>;
  /** New jobs for rows whose job is gone, or has ended without ending them. Where absent, the same job again. */
  readonly renew?: (lost: Row[]) => Promise<NewJob<Names, Data>[]>;
}

/**
 * Puts back what should be in a queue and is not: Redis was wiped, or a job was lost with its worker. The database
 * says what is to be done; the queue is only when.
 */
export class Restore<Row, Names extends string, Data> {
  private readonly sweep: Sweep;
  private restUntil = 0;

  constructor(
    private readonly restoration: Restoration<Row, Names, Data>,
    private readonly queues: QueuesService,
    private readonly logger: Logger,
  ) {
    this.sweep = new Sweep(restoration.what, restoration.everyMs, () => this.look(), logger);
  }

  /** Waits for the look under way. */
  stop(): Promise<void> {
    return this.sweep.stop();
  }

  /** A look, unless the last one was so long that looking would be all this process does. */
  private async look(): Promise<void> {
    if (performance.now() < this.restUntil) return;
    const began = performance.now();
    await this.pass();
    this.restUntil = performance.now() + REST * (performance.now() - began);
  }

  /** One look at all that is overdue. */
  async pass(): Promise<void> {
    const { what, queue, overdue, jobOf, renew } = this.restoration;
    let restored = 0;
    let last: Row | undefined;
    do {
      const rows = await overdue(last, PAGE);
      const lost = await this.queues.without(queue, rows, (row) => jobOf(row).id);
      const jobs = renew ? await renew(lost) : await this.again(lost.map(jobOf));
      await this.queues.add(queue, jobs);
      restored += jobs.length;
      last = rows.length === PAGE ? rows.at(-1) : undefined;
    } while (last);
    if (restored > 0) this.logger.warn({ jobs: restored }, `${what} without a job were queued again`);
  }

  /** Jobs that have ended stand in the way of others with their id. */
  private async again(jobs: NewJob<Names, Data>[]): Promise<NewJob<Names, Data>[]> {
    const queue = this.queues.queue(this.restoration.queue);
    await Promise.all(jobs.map(({ id }) => queue.remove(id)));
    return jobs;
  }
}
