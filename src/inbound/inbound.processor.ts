import { Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { InjectLogger } from '../logging/logging.module.js';
import { QueuesService } from '../queues/queues.service.js';
import { Sweep } from '../queues/sweep.js';
import { ENTRANTES } from './inbound.queue.js';
import { InboundService } from './inbound.service.js';

/** Incoming messages worked on at the same time. */
const CONCURRENCY = 4;

/** Milliseconds between looks for recorded messages whose job was lost. */
const SWEEP_MS = 15_000;

/** Works on the queue of incoming messages. */
@Injectable()
export class InboundProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private sweep: Sweep | undefined;

  constructor(
    private readonly queues: QueuesService,
    private readonly inbound: InboundService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const whatsapp = ({ entranteId }: { entranteId: string }) => this.inbound.handle(entranteId);
    this.queues.work(ENTRANTES, { whatsapp }, { concurrency: CONCURRENCY });
    this.sweep = new Sweep('incoming messages', SWEEP_MS, () => this.tidy(), this.logger);
  }

  private async tidy(): Promise<void> {
    await this.inbound.requeuePending();
    await this.inbound.forget();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep?.stop();
  }
}
