import type { WorkKind } from '../platform/work/work-kind.js';
import {
  SIMULACIONES,
  simulationJob,
  type QueueableSimulacion,
  type SimulacionJob,
} from './simulaciones.queue.js';

export const SIMULATIONS: WorkKind<QueueableSimulacion, SimulacionJob> = {
  table: 'simulaciones',
  key: { id: 'uuid' },
  hasWork: `t.estado = 'en_curso'`,
  dueAt: 'proximo_en',
  columns: `t.id, t.ronda, (select g.guia from guias g where g.comercio_id = t.comercio_id and g.id = t.guia_id) as guia`,
  queues: [SIMULACIONES],
  queueOf: () => SIMULACIONES,
  jobOf: simulationJob,
  keyOf: ({ simulacionId }) => [simulacionId],
};
