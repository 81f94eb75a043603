import type { NewJob } from '../platform/queues/new-job.js';
import { jobIdOf } from '../platform/work/work-kind.js';

/** Steps of simulated couriers. A simulation's row says which step is next, and when. */
export const SIMULACIONES = 'simulaciones';

export interface SimulacionJob {
  simulacionId: string;
  /** Guide number: the board links to the guide. */
  guia: string;
}

export interface QueueableSimulacion {
  id: string;
  ronda: number;
  guia: string;
}

/** A simulation has one job, which runs again for each step. */
export function simulationJob({ id, ronda, guia }: QueueableSimulacion): NewJob<'avanzar', SimulacionJob> {
  return { id: jobIdOf(id, ronda), name: 'avanzar', data: { simulacionId: id, guia } };
}
