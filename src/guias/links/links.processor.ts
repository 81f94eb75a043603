import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { UnknownJob } from '../../platform/queues/job-errors.js';
import { LinkExpansionService } from './link-expansion.service.js';
import { ENLACES, type EnlaceJob, type EnlaceJobName } from './links.queue.js';

const CONCURRENCY = 4;

@Processor(ENLACES, { concurrency: CONCURRENCY })
export class LinksProcessor extends WorkerHost {
  constructor(private readonly expansion: LinkExpansionService) {
    super();
  }

  async process({ name, data }: Job<EnlaceJob, string, EnlaceJobName>): Promise<string> {
    switch (name) {
      case 'leer':
        return this.expansion.expand(data);
      case 'expandir':
        return 'Cada enlace tiene ahora su propia tarea.';
      default:
        throw new UnknownJob(name);
    }
  }
}
