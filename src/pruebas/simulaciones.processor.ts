import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { UnknownJob } from '../platform/queues/job-errors.js';
import { SIMULACIONES, type SimulacionJob } from './simulaciones.queue.js';
import { SimulatedCourierService } from './simulated-courier.service.js';

const CONCURRENCY = 10;

@Processor(SIMULACIONES, { concurrency: CONCURRENCY })
export class SimulacionesProcessor extends WorkerHost {
  constructor(private readonly courier: SimulatedCourierService) {
    super();
  }

  process({ name, data }: Job<SimulacionJob, string, 'avanzar'>): Promise<string> {
    if (name !== 'avanzar') throw new UnknownJob(name);
    return this.courier.advance(data.simulacionId);
  }
}
