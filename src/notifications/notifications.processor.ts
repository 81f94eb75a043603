import { Processor, WorkerHost } from '@nestjs/bullmq';
import { UnrecoverableError, type Job } from 'bullmq';
import { UnknownJob } from '../platform/queues/job-errors.js';
import { wasCutOff } from '../platform/queues/was-cut-off.js';
import { MessagesService } from './messages/messages.service.js';
import {
  NOTIFICACIONES,
  NOTIFICACIONES_PRUEBA,
  type MensajeJob,
  type MensajeJobName,
} from './notifications.queue.js';
import { SandboxRecipientService } from './providers/sandbox/sandbox-recipient.service.js';
import { SenderService } from './sending/sender.service.js';

/** Concurrent messages; a killed process leaves at most this many with an unknown outcome. */
const CONCURRENCY = 64;

@Processor(NOTIFICACIONES, { concurrency: CONCURRENCY })
export class NotificationsProcessor extends WorkerHost {
  constructor(
    private readonly sender: SenderService,
    private readonly messages: MessagesService,
    private readonly sandboxRecipient: SandboxRecipientService,
  ) {
    super();
  }

  process(job: Job<MensajeJob, string, MensajeJobName>): Promise<string> {
    switch (job.name) {
      case 'enviar':
        return this.sender.send(job.data.mensajeId, wasCutOff(job));
      case 'informar_fallo':
        return this.reportFailure(job);
      case 'responder_sandbox':
        return this.sandboxRecipient.answer(job.data.mensajeId);
      default:
        throw new UnknownJob(job.name);
    }
  }

  /** Fails on the first run, so that support sees it on the board; a retry from there sends the message again. */
  private async reportFailure(job: Job<MensajeJob>): Promise<string> {
    const { mensajeId, isReported, guia } = job.data;
    if (isReported) return this.sender.send(mensajeId, wasCutOff(job));
    const causa = await this.messages.failureOf(mensajeId);
    await job.updateData({ mensajeId, guia, isReported: true });
    throw new UnrecoverableError(causa);
  }
}

@Processor(NOTIFICACIONES_PRUEBA, { concurrency: CONCURRENCY })
export class TestNotificationsProcessor extends NotificationsProcessor {}
