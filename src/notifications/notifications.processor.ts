import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { UnrecoverableError } from 'bullmq';
import { Queues } from '../queues/queues.service.js';
import { NOTIFICACIONES } from './notifications.queue.js';
import { SandboxRecipient } from './sandbox-recipient.service.js';
import { Sender } from './sender.service.js';

/** Messages sent at the same time; a killed process leaves at most as many of them unknown. */
const CONCURRENCY = 8;

/** Works on the queue of messages. */
@Injectable()
export class NotificationsProcessor implements OnApplicationBootstrap {
  constructor(
    private readonly queues: Queues,
    private readonly sender: Sender,
    private readonly sandboxRecipient: SandboxRecipient,
  ) {}

  onApplicationBootstrap(): void {
    const handlers = {
      enviar: ({ mensajeId }: { mensajeId: string }) => this.sender.send(mensajeId),
      informar_fallo: async ({ mensajeId }: { mensajeId: string }, job: { attemptsMade: number }) => {
        // Its first run only puts it where support looks; a person who retries it sends the message again.
        if (job.attemptsMade === 0) throw new UnrecoverableError(await this.sender.failureOf(mensajeId));
        return this.sender.send(mensajeId);
      },
      responder_sandbox: ({ mensajeId }: { mensajeId: string }) => this.sandboxRecipient.answer(mensajeId),
    };
    this.queues.work(NOTIFICACIONES, handlers, { concurrency: CONCURRENCY });
  }
}
