import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { QueueAdapterOptions } from '@bull-board/api/typings/app';
import type { Job, Queue } from 'bullmq';
import type { JobWordsService, WordedJob } from './job-words.service.js';

type JobLink = NonNullable<QueueAdapterOptions['externalJobUrl']>;

/** A queue as the board shows it: its jobs in words, and paused where its sender is. */
export class WordedQueueAdapter extends BullMQAdapter {
  private readonly queueName: string;

  constructor(
    queue: Queue,
    private readonly words: JobWordsService,
  ) {
    // The option type lacks `allowCompletedRetries`.
    const options = {
      allowCompletedRetries: false,
      // Bull Board takes undefined for none; its types do not say so.
      externalJobUrl: (job) => words.linkOf(job) as ReturnType<JobLink>,
    } as Partial<QueueAdapterOptions> & { allowCompletedRetries: boolean };
    super(queue, options);
    this.queueName = queue.name;
    this.setFormatter('name', (job: WordedJob) => words.nameOf(job));
  }

  override async getJobs(...args: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    const jobs = await super.getJobs(...args);
    await this.words.load(jobs);
    return jobs;
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    if (job) await this.words.load([job]);
    return job;
  }

  override async isPaused(): Promise<boolean> {
    return (await super.isPaused()) || (await this.words.isSenderPaused(this.queueName));
  }
}
