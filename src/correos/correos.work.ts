import type { WorkKind } from '../platform/work/work-kind.js';
import { CORREOS, correoJob, type CorreoJob, type QueueableCorreo } from './correos.queue.js';

/** Mails to merchants. While a try is running, the mail is due at the end of the try's time. */
export const MAILS: WorkKind<QueueableCorreo, CorreoJob> = {
  table: 'correos',
  key: { id: 'uuid' },
  hasWork: `t.estado = 'pendiente'`,
  dueAt: 'proximo_en',
  columns: 't.id, t.ronda, t.clase',
  queues: [CORREOS],
  queueOf: () => CORREOS,
  jobOf: correoJob,
  keyOf: ({ correoId }) => [correoId],
};
