import type { NewJob } from '../queues/new-job.js';

/** Steps of simulated couriers. A simulation's row says which step is next, and when. */
export const SIMULACIONES = 'simulaciones';

export interface SimulacionJob {
  simulacionId: string;
  /** Guide number: the board links to the guide. */
  guia: string;
}

/** The one job of a simulation, which runs again for each step. */
export function simulationJob({ id, guia }: { id: string; guia: string }): NewJob<'avanzar', SimulacionJob> {
  return { id, name: 'avanzar', data: { simulacionId: id, guia } };
}
