import type { WorkKind } from '../../platform/work/work-kind.js';
import { bulkJob, MASIVAS, type MasivaJob, type QueueableMasiva } from './bulk.queue.js';

/** Actions on many guides. A run goes on where the one before stopped. */
export const BULK_ACTIONS: WorkKind<QueueableMasiva, MasivaJob> = {
  table: 'masivas',
  key: { id: 'uuid' },
  hasWork: 't.terminado_en is null',
  dueAt: 'proximo_en',
  columns: 't.id, t.ronda',
  queues: [MASIVAS],
  queueOf: () => MASIVAS,
  jobOf: bulkJob,
  keyOf: ({ masivaId }) => [masivaId],
};
