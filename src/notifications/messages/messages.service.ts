import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ConfirmationsService } from '../../confirmations/confirmations.service.js';
import { Database } from '../../platform/database/database.js';
import { derivedRowId } from '../../platform/database/row-id.js';
import {
  DispatcherService,
  type EventoJob,
  type PendingEvento,
} from '../../platform/events/dispatcher.service.js';
import type { GuiaKey } from '../../guias/guia/guia-key.js';
import { QueuesService } from '../../platform/queues/queues.service.js';
import { WorkService } from '../../platform/work/work.service.js';
import { MESSAGES } from '../notifications.work.js';
import { MessageWarningsService } from './message-warnings.service.js';
import type { EstadoInformado } from './mensaje-estado.js';
import {
  askRecipients,
  findCausa,
  findLastReply,
  replyMensaje,
  reportMensaje,
  retryReported,
  tellPins,
  type LastReplyRow,
  type PinMessage,
  type Reply,
  type ReportedRow,
} from './messages.queries.js';
import {
  failureJobId,
  jobDataOf,
  NOTIFICACIONES,
  queueOf,
  sendJob,
  type QueueableMessage,
} from '../notifications.queue.js';
import type { Recipient } from './recipient.js';
import type { Failure, MensajeTipo } from '../providers/messaging-provider.js';
import { ofPinTemplate } from '../providers/whatsapp/whatsapp-errors.js';
import { retryDelay } from './retry-schedule.js';
import { SenderPausesService } from '../pauses/sender-pauses.service.js';

export interface StatusReport {
  estado: EstadoInformado;
  /** Our id, where the provider repeats it. */
  mensajeId: string | null;
  /** The provider's id. */
  proveedorId: string;
  usuario: string | null;
  /** Only of `fallido`. */
  failure: Failure | null;
}

/** The provider that reports failures of the sender. */
const REPORTING = 'whatsapp';

/** Milliseconds until a message is retried that the sender's account or rate limit stopped. */
const SENDER_WAIT_MS = 60_000;

/** Creates messages and records what is reported of them; `SenderService` sends them. */
@Injectable()
export class MessagesService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: DispatcherService,
    private readonly confirmations: ConfirmationsService,
    private readonly queues: QueuesService,
    private readonly work: WorkService,
    private readonly warnings: MessageWarningsService,
    private readonly pauses: SenderPausesService,
  ) {}

  onModuleInit(): void {
    this.dispatcher.subscribe(['guia.creada', 'guia.confirmacion_pedida'], (eventos) => this.ask(eventos));
    this.dispatcher.subscribe(['guia.estado_cambiado', 'guia.estado_corregido'], (eventos) =>
      this.tellPins(eventos),
    );
  }

  /** Creates one message for each event whose guide is not confirmed: its row and its link, then its job. */
  private async ask(eventos: PendingEvento[]): Promise<EventoJob[]> {
    const huellas = eventos.map(({ id }) => this.confirmations.huella(id));
    const { rows } = await this.database.query<QueueableMessage>(askRecipients(eventos, huellas));
    return rows.map((row) => ({ eventoId: row.id, queue: queueOf(row), job: sendJob(row) }));
  }

  /** Creates one message for each guide that is on its way, where its recipient is asked for a PIN. */
  private async tellPins(eventos: PendingEvento[]): Promise<EventoJob[]> {
    const { rows } = await this.database.query<PinMessage>(tellPins(eventos));
    return rows.map((row) => ({ eventoId: row.evento_id, queue: queueOf(row), job: sendJob(row) }));
  }

  /** Decides now about the messages to these numbers that wait to be sent. @param telefonos E.164. */
  async decideAgain(telefonos: string[]): Promise<void> {
    const where = `t.telefono = any ($1) and t.estado = 'pendiente'`;
    await this.work.startAgain(MESSAGES, { where, values: [telefonos] });
  }

  /** Replies to an incoming message; idempotent. */
  async reply(
    entranteId: string,
    tipo: MensajeTipo,
    para: Recipient,
    guia: (GuiaKey & { guia: string }) | null = null,
  ): Promise<void> {
    await this.insertReply({ id: entranteId, entranteId, tipo, guia, ...para });
  }

  /** As `reply`, but a person gets a message of this type once in 24 hours. Returns whether they got it for this one. */
  async replyOnceADay(
    entranteId: string,
    tipo: MensajeTipo,
    para: Recipient,
    guia: Reply['guia'] = null,
  ): Promise<boolean> {
    const { rows } = await this.database.query<LastReplyRow>(findLastReply(tipo, para));
    const last = rows[0];
    if (last?.reciente) return last.responde_a === entranteId;
    await this.insertReply({ id: nextReplyId(tipo, para, last?.id), entranteId, tipo, guia, ...para });
    return true;
  }

  private async insertReply(reply: Reply): Promise<void> {
    await this.database.query(replyMensaje(reply));
    const { id, tipo, guia } = reply;
    await this.queues.add(NOTIFICACIONES, [sendJob({ id, ronda: 0, guia: guia?.guia ?? null, tipo })]);
  }

  /** Applies a report; ignores it if the message is unknown or already further. */
  async report({ estado, mensajeId, proveedorId, usuario, failure: reported }: StatusReport): Promise<void> {
    const causa = reported?.message ?? null;
    const { rows } = await this.database.query<ReportedRow>(
      reportMensaje({ estado, causa, mensajeId, proveedorId, usuario }),
    );
    const mensaje = rows[0];
    const failure = reported && mensaje?.tipo === 'pin_de_entrega' ? ofPinTemplate(reported) : reported;
    if (mensaje?.hay_pausa && !failure) await this.pauses.endReported(REPORTING, mensaje.id);
    // A report about an old number of the guide says nothing about its current one.
    if (!mensaje || mensaje.telefono_cambiado) return;
    if (!failure) {
      if (estado !== 'aceptado') await this.warnings.removeFailure(mensaje);
      return;
    }
    if (await this.scheduleRetry(mensaje, failure)) return;
    await this.warnings.addFailure(mensaje, proveedorId, failure.code);
    await this.showFailure(mensaje, proveedorId);
  }

  /** Why a message failed, in Spanish, for the board. */
  async failureOf(mensajeId: string): Promise<string> {
    const { rows } = await this.database.query<{ causa: string | null }>(findCausa(mensajeId));
    return rows[0]?.causa ?? 'El proveedor no pudo entregar el mensaje.';
  }

  /** Puts the failure on the board, where a retry sends the message again. */
  private async showFailure(mensaje: ReportedRow, proveedorId: string): Promise<void> {
    // If the answer to the send was lost, a retry is scheduled; now a person decides instead.
    const next = await this.queues.queue(NOTIFICACIONES).getJob(sendJob(mensaje).id);
    if (next && (await next.isDelayed())) await next.remove();
    // A separate id per failure: BullMQ ignores a job with the id of a kept one.
    const id = failureJobId(mensaje.id, proveedorId);
    await this.queues.add(NOTIFICACIONES, [{ id, name: 'informar_fallo', data: jobDataOf(mensaje) }]);
  }

  /**
   * Schedules a retry after a temporary failure or one of the sender, as if the provider had refused the message at once.
   * Returns false if a person has to decide.
   */
  private async scheduleRetry(mensaje: { id: string; intentos: number }, failure: Failure): Promise<boolean> {
    const { kind, message: causa } = failure;
    if (kind === 'permanent' || kind === 'unknown') return false;
    if (kind === 'config') await this.pauses.begin(REPORTING, failure, SENDER_WAIT_MS, true);
    const inMs = kind === 'transient' ? retryDelay(Math.max(mensaje.intentos, 1)) : SENDER_WAIT_MS;
    if (inMs === undefined) return false;
    // Its job has ended; `LostJobsService` enqueues the next one.
    await this.database.query(retryReported(mensaje.id, causa, inMs));
    return true;
  }
}

/** The same for concurrent calls, which found the same last reply: one of them inserts the message. */
function nextReplyId(
  tipo: MensajeTipo,
  { telefono, usuario }: Recipient,
  lastId: string | undefined,
): string {
  return derivedRowId(new Date().setUTCHours(0, 0, 0, 0), [tipo, telefono, usuario, lastId].join(' '));
}
