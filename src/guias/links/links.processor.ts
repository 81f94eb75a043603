import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import { InjectLogger } from '../../logging/logging.module.js';
import { QueuesService } from '../../queues/queues.service.js';
import { Restore } from '../../queues/restore.js';
import { LinkExpansionService } from './link-expansion.service.js';
import { ENLACES, expandJob, type EnlaceJob } from './links.queue.js';

/** Guides whose links are asked about at the same time. */
const CONCURRENCY = 4;

/** Milliseconds between looks for guides whose job was lost. */
const RESTORE_MS = 30_000;

/** Works on the queue of map links. */
@Injectable()
export class LinksProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  restore: Restore<EnlaceJob, 'expandir', EnlaceJob> | undefined;

  constructor(
    private readonly queues: QueuesService,
    private readonly expansion: LinkExpansionService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const handlers = {
      expandir: (guia: EnlaceJob, job: Job) => this.expansion.expand(guia, job.attemptsMade),
    };
    this.queues.work(ENLACES, handlers, { concurrency: CONCURRENCY });
    this.restore = new Restore(
      {
        what: 'map links',
        everyMs: RESTORE_MS,
        queue: ENLACES,
        overdue: (last: EnlaceJob | undefined, limit) => this.expansion.overdue(last, limit),
        jobOf: expandJob,
      },
      this.queues,
      this.logger,
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.restore?.stop();
  }
}
