import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { UnrecoverableError, type Job } from 'bullmq';
import { QueuesService, type Handlers } from '../queues/queues.service.js';
import { NOTIFICACIONES, type MensajeJob, type MensajeJobName } from './notifications.queue.js';
import { SandboxRecipientService } from './providers/sandbox/sandbox-recipient.service.js';
import { SenderService } from './sending/sender.service.js';

/** Messages sent at the same time; a killed process leaves at most as many of them unknown. */
const CONCURRENCY = 4;

/** Works on the queue of messages. */
@Injectable()
export class NotificationsProcessor implements OnApplicationBootstrap {
  constructor(
    private readonly queues: QueuesService,
    private readonly sender: SenderService,
    private readonly sandboxRecipient: SandboxRecipientService,
  ) {}

  onApplicationBootstrap(): void {
    const handlers: Handlers<MensajeJobName, MensajeJob> = {
      enviar: ({ mensajeId }) => this.sender.send(mensajeId),
      informar_fallo: (data, job) => this.report(data, job),
      responder_sandbox: ({ mensajeId }) => this.sandboxRecipient.answer(mensajeId),
    };
    this.queues.work(NOTIFICACIONES, handlers, { concurrency: CONCURRENCY });
  }

  /** The first run only puts it where support looks; a person who retries it sends the message again. */
  private async report({ mensajeId, isReported, guia }: MensajeJob, job: Job): Promise<string> {
    if (isReported) return this.sender.send(mensajeId);
    const causa = await this.sender.failureOf(mensajeId);
    await job.updateData({ mensajeId, guia, isReported: true });
    throw new UnrecoverableError(causa);
  }
}
