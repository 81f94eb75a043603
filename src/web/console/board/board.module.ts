import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from '../../../platform/logging/logging.module.js';
import { QueuesService } from '../../../platform/queues/queues.service.js';
import { AuditService } from '../audit/audit.service.js';
import { ConsoleModule } from '../console.module.js';
import { JobLabelsService } from './job-labels.service.js';

/** The queue board; only where somebody may see it, because loading Bull Board takes memory. */
@Module({ imports: [ConsoleModule], providers: [JobLabelsService] })
export class BoardModule implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly queues: QueuesService,
    private readonly audit: AuditService,
    private readonly labels: JobLabelsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const { setupBoard } = await import('./board.js');
    const { audit, labels, logger } = this;
    const fastify: FastifyInstance = this.http.httpAdapter.getInstance();
    setupBoard(fastify, { queues: this.queues.all, audit, labels, logger });
  }
}
