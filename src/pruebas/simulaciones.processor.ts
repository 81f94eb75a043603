import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnModuleInit } from '@nestjs/common';
import type { Job } from 'bullmq';
import { UnknownJob } from '../queues/job-errors.js';
import { LostJobsService } from '../queues/lost-jobs.service.js';
import { overdueSimulaciones, type OverdueSimulacion } from './simulaciones.queries.js';
import { SIMULACIONES, simulationJob, type SimulacionJob } from './simulaciones.queue.js';
import { SimulatedCourierService } from './simulated-courier.service.js';

/** Steps at a time. */
const CONCURRENCY = 10;

/** Milliseconds. */
const RESTORE_EVERY_MS = 10_000;

@Processor(SIMULACIONES, { concurrency: CONCURRENCY })
export class SimulacionesProcessor extends WorkerHost implements OnModuleInit {
  constructor(
    private readonly courier: SimulatedCourierService,
    private readonly lostJobs: LostJobsService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.lostJobs.watch<OverdueSimulacion>({
      what: 'simulations',
      everyMs: RESTORE_EVERY_MS,
      queue: SIMULACIONES,
      overdue: overdueSimulaciones,
      jobOf: simulationJob,
    });
  }

  process({ name, data }: Job<SimulacionJob, string, 'avanzar'>): Promise<string> {
    if (name !== 'avanzar') throw new UnknownJob(name);
    return this.courier.advance(data.simulacionId);
  }
}
