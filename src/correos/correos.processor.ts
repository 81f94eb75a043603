import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { UnknownJob } from '../platform/queues/job-errors.js';
import { CORREOS, type CorreoJob, type CorreoJobName } from './correos.queue.js';
import { CorreoSenderService } from './sending/correo-sender.service.js';

/** Mails at a time, each on a connection of its own: more than this few servers take from one sender. */
const CONCURRENCY = 4;

@Processor(CORREOS, { concurrency: CONCURRENCY })
export class CorreosProcessor extends WorkerHost {
  constructor(private readonly sender: CorreoSenderService) {
    super();
  }

  process({ name, data }: Job<CorreoJob, string, CorreoJobName>): Promise<string> {
    if (name !== 'enviar_correo') throw new UnknownJob(name);
    return this.sender.send(data.correoId);
  }
}
