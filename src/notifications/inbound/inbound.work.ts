import type { WorkKind } from '../../platform/work/work-kind.js';
import { ENTRANTES, inboundJob, type EntranteJob, type QueueableEntrante } from './inbound.queue.js';

export const INBOUND_EVENTS: WorkKind<QueueableEntrante, EntranteJob> = {
  table: 'entrantes',
  key: { id: 'uuid' },
  hasWork: 't.procesado_en is null',
  dueAt: 'recibido_en',
  columns: 't.id, t.ronda',
  queues: [ENTRANTES],
  queueOf: () => ENTRANTES,
  jobOf: inboundJob,
  keyOf: ({ entranteId }) => [entranteId],
};
