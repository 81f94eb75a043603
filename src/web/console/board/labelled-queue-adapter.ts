import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { QueueAdapterOptions } from '@bull-board/api/typings/app';
import type { Job, JobState, Queue } from 'bullmq';
import { QUEUE_NAMES } from '../texts.js';
import type { JobLabelsService, LabelledJob } from './job-labels.service.js';

type JobLink = NonNullable<QueueAdapterOptions['externalJobUrl']>;

/** Running jobs among which one is looked for; more than all workers run. */
const MAX_ACTIVE = 10_000;

/** A queue as the board shows it: its jobs with labels; paused where its sender is. */
export class LabelledQueueAdapter extends BullMQAdapter {
  constructor(
    private readonly ofJobs: Queue,
    private readonly labels: JobLabelsService,
  ) {
    // The option type lacks `allowCompletedRetries`.
    const options = {
      allowCompletedRetries: false,
      displayName: QUEUE_NAMES[ofJobs.name] ?? ofJobs.name,
      // Bull Board takes undefined for none; its types do not say so.
      externalJobUrl: (job) => labels.linkOf(job) as ReturnType<JobLink>,
    } as Partial<QueueAdapterOptions> & { allowCompletedRetries: boolean };
    super(ofJobs, options);
    this.setFormatter('name', (job: LabelledJob) => labels.nameOf(job));
  }

  override async getJobs(...args: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    const jobs = await super.getJobs(...args);
    await this.labels.load(jobs);
    return jobs;
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    if (!job) return undefined;
    await this.labels.load([job]);
    const getState = job.getState.bind(job);
    return Object.assign(job, { getState: () => this.stateOf(job, getState) });
  }

  override async isPaused(): Promise<boolean> {
    return (await super.isPaused()) || (await this.labels.isSenderPaused(this.ofJobs.name));
  }

  /** BullMQ's `getState` reads the whole list of waiting jobs, but not for a job that has ended or is delayed. */
  private async stateOf(job: Job, getState: Job['getState']): Promise<JobState | 'unknown'> {
    if (job.finishedOn !== undefined || job.delay > 0) return getState();
    const active = await this.ofJobs.getRanges(['active'], 0, MAX_ACTIVE);
    return active.includes(job.id!) ? 'active' : 'waiting';
  }
}
