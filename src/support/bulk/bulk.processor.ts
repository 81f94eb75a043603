import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { UnknownJob } from '../../platform/queues/job-errors.js';
import { MASIVAS, type MasivaJob, type MasivaJobName } from './bulk.queue.js';
import { BulkRunService } from './bulk-run.service.js';

/** Actions at a time; each works on several guides. */
const CONCURRENCY = 2;

@Processor(MASIVAS, { concurrency: CONCURRENCY })
export class BulkProcessor extends WorkerHost {
  constructor(private readonly runs: BulkRunService) {
    super();
  }

  process({ name, data }: Job<MasivaJob, string, MasivaJobName>): Promise<string> {
    if (name !== 'hacer') throw new UnknownJob(name);
    return this.runs.run(data.masivaId);
  }
}
