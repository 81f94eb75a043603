import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnrecoverableError, type Job } from 'bullmq';
import { Database } from '../database/database.js';
import { isUuid } from '../database/row-id.js';
import { UnknownJob } from '../queues/job-errors.js';
import { LostJobsService } from '../queues/lost-jobs.service.js';
import { MendedJobsService } from '../queues/mended-jobs.service.js';
import { mendedMensajes, nextRound, overdueMensajes, type OverdueRow } from './messages/messages.queries.js';
import {
  NOTIFICACIONES,
  NOTIFICACIONES_PRUEBA,
  queueOf,
  sendJob,
  type MensajeJob,
  type MensajeJobName,
} from './notifications.queue.js';
import { SandboxRecipientService } from './providers/sandbox/sandbox-recipient.service.js';
import { SenderService } from './sending/sender.service.js';

/** Messages at a time; a killed process leaves the outcome of at most so many unknown. */
const CONCURRENCY = 64;

/** Milliseconds. */
const RESTORE_EVERY_MS = 10_000;

type NotificationJob = Job<MensajeJob, string, MensajeJobName>;

/** What the jobs of both queues do. */
@Injectable()
export class NotificationJobs {
  constructor(
    private readonly sender: SenderService,
    private readonly sandboxRecipient: SandboxRecipientService,
  ) {}

  run(job: NotificationJob): Promise<string> {
    switch (job.name) {
      case 'enviar':
        return this.sender.send(job.data.mensajeId);
      case 'informar_fallo':
        return this.reportFailure(job);
      case 'responder_sandbox':
        return this.sandboxRecipient.answer(job.data.mensajeId);
      default:
        throw new UnknownJob(job.name);
    }
  }

  /** Fails the first time, so that support sees it; retried by support, it sends the message again. */
  private async reportFailure(job: Job<MensajeJob>): Promise<string> {
    const { mensajeId, isReported, guia } = job.data;
    if (isReported) return this.sender.send(mensajeId);
    const causa = await this.sender.failureOf(mensajeId);
    await job.updateData({ mensajeId, guia, isReported: true });
    throw new UnrecoverableError(causa);
  }
}

@Processor(NOTIFICACIONES, { concurrency: CONCURRENCY })
export class NotificationsProcessor extends WorkerHost implements OnModuleInit {
  constructor(
    private readonly jobs: NotificationJobs,
    private readonly database: Database,
    private readonly lostJobs: LostJobsService,
    private readonly mendedJobs: MendedJobsService,
  ) {
    super();
  }

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
      this.mendedJobs.watch<MensajeJob>({
        what: de_prueba ? 'mended test messages' : 'mended messages',
        queue,
        mended: async (jobs) => {
          const ids = jobs.map(({ data }) => data.mensajeId).filter(isUuid);
          const { rows } = await this.database.query<{ id: string }>(mendedMensajes(ids));
          const mended = new Set(rows.map(({ id }) => id));
          return jobs.filter(({ data }) => mended.has(data.mensajeId)).map(({ id }) => id!);
        },
      });
    }
  }

  process(job: NotificationJob): Promise<string> {
    return this.jobs.run(job);
  }
}

@Processor(NOTIFICACIONES_PRUEBA, { concurrency: CONCURRENCY })
export class TestNotificationsProcessor extends WorkerHost {
  constructor(private readonly jobs: NotificationJobs) {
    super();
  }

  process(job: NotificationJob): Promise<string> {
    return this.jobs.run(job);
  }
}
