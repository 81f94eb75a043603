import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { isUuid } from '../database/row-id.js';
import { LostJobsService } from '../queues/lost-jobs.service.js';
import { ResolvedJobsService } from '../queues/resolved-jobs.service.js';
import {
  resolvedMensajes,
  nextRound,
  overdueMensajes,
  type OverdueRow,
} from './messages/messages.queries.js';
import { queueOf, sendJob, type MensajeJob } from './notifications.queue.js';

/** Milliseconds. */
const RESTORE_EVERY_MS = 10_000;

/** Keeps the queues of messages in line with their rows. */
@Injectable()
export class NotificationSweeps implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly lostJobs: LostJobsService,
    private readonly resolvedJobs: ResolvedJobsService,
  ) {}

  onModuleInit(): void {
    for (const de_prueba of [false, true]) {
      const queue = queueOf({ de_prueba });
      this.lostJobs.watch<OverdueRow>({
        what: de_prueba ? 'test messages' : 'messages',
        everyMs: RESTORE_EVERY_MS,
        queue,
        overdue: overdueMensajes,
        isOfQueue: (row) => row.de_prueba === de_prueba,
        jobOf: sendJob,
        renew: async (lost) => {
          await this.database.query(nextRound(lost));
          return lost.map((mensaje) => sendJob({ ...mensaje, ronda: mensaje.ronda + 1 }));
        },
      });
      this.resolvedJobs.watch<MensajeJob>({
        what: de_prueba ? 'resolved test messages' : 'resolved messages',
        queue,
        resolved: async (jobs) => {
          const ids = jobs.map(({ data }) => data.mensajeId).filter(isUuid);
          const { rows } = await this.database.query<{ id: string }>(resolvedMensajes(ids));
          const resolved = new Set(rows.map(({ id }) => id));
          return jobs.filter(({ data }) => resolved.has(data.mensajeId)).map(({ id }) => id!);
        },
      });
    }
  }
}
