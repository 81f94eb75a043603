import { Inject, Injectable } from '@nestjs/common';
import { UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { v5 } from 'uuid';
import { Config } from '../../config/env.js';
import { ConfirmationsService } from '../../confirmations/confirmations.service.js';
import { LinkBase } from '../../confirmations/link-base.js';
import { Database } from '../../database/database.js';
import type { GuiaAdvertencia } from '../../guias/guia-advertencia.js';
import { GuiaAdvertenciasService } from '../../guias/changes/guia-advertencias.service.js';
import { InjectLogger } from '../../logging/logging.module.js';
import { PauseQueue, RetryLater } from '../../queues/job-errors.js';
import { QueuesService } from '../../queues/queues.service.js';
import { messageText } from '../messages/message-text.js';
import type { MensajeEstado } from '../messages/mensaje-estado.js';
import {
  acceptMensaje,
  claimMensaje,
  loadMensaje,
  settleMensaje,
  type MensajeRow,
} from '../messages/messages.queries.js';
import { NOTIFICACIONES } from '../notifications.queue.js';
import { OpenRequestsService } from '../messages/open-requests.service.js';
import {
  PROVIDER,
  SendError,
  type Acceptance,
  type MessagingProvider,
  type OutboundMessage,
} from '../providers/messaging-provider.js';
import { MAX_TRIES, retryDelay } from './retry-schedule.js';
import { decide, OMISIONES, STATUS_WAIT_MS, type Omision } from './send-decision.js';
import { SenderPausesService } from './sender-pauses.service.js';

/** Milliseconds until a paused provider is tried again, unless it says otherwise. */
const PAUSE_MS = 60_000;

/**
 * Milliseconds; bounds of a provider's `Retry-After`. BullMQ cannot pause for 0 ms, and the board does not show a
 * queue that is rate limited.
 */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 600_000;

/** Warnings to the merchant, by the reason of an omission. */
const ADVERTENCIAS: Partial<Record<Omision, GuiaAdvertencia>> = {
  limite: 'mensaje_omitido_limite',
  baja: 'mensaje_omitido_baja',
};

const PROVEEDOR_ID = /^[\x21-\x7e]{1,512}$/;

/** Sends messages, and retries, omits or fails them. */
@Injectable()
export class SenderService {
  constructor(
    private readonly database: Database,
    @Inject(PROVIDER) private readonly provider: MessagingProvider,
    private readonly confirmations: ConfirmationsService,
    private readonly requests: OpenRequestsService,
    private readonly advertencias: GuiaAdvertenciasService,
    private readonly queues: QueuesService,
    private readonly pauses: SenderPausesService,
    private readonly links: LinkBase,
    private readonly config: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Sends a message if it is still needed; may be called any number of times.
   * @returns the outcome in Spanish, for the board.
   * @throws RetryLater, PauseQueue, or UnrecoverableError where only a person can decide.
   */
  async send(mensajeId: string): Promise<string> {
    const { rows } = await this.database.query<MensajeRow>(loadMensaje(mensajeId));
    const mensaje = rows[0];
    if (!mensaje) return 'El mensaje no existe.';
    const decision = decide(mensaje, this.provider.isIdempotent);
    switch (decision.action) {
      case 'none':
        return 'No había nada que enviar.';
      case 'omit':
        return this.omit(mensaje, decision.reason);
      case 'yield':
        throw new RetryLater('Otro proceso lo está enviando.', decision.ms);
      case 'wait':
        return this.wait(mensaje, decision.ms);
      case 'send':
        return this.claimAndSend(mensaje);
    }
  }

  private async claimAndSend(mensaje: MensajeRow): Promise<string> {
    const enlaceBase = this.links.get();
    const usesQuota = mensaje.tipo === 'confirmacion_ubicacion' && mensaje.primer_intento_en === null;
    const quota = this.config.messagesPerPhonePerDay;
    const claim = claimMensaje(mensaje, { proveedor: this.provider.name, enlaceBase, usesQuota, quota });
    const { rows } = await this.database.query<{ intentos: number; hay_cupo: boolean }>(claim);
    const claimed = rows[0];
    if (!claimed) return 'Otro proceso lo está enviando.';
    if (usesQuota && !claimed.hay_cupo) return this.omit({ ...mensaje, estado: 'enviando' }, 'limite');
    const outbound = await this.toOutbound(mensaje, claimed.intentos - 1, enlaceBase);
    // All of its guides were answered meanwhile.
    if (mensaje.tipo === 'elegir_guia' && outbound.opciones.length === 0)
      return this.omit({ ...mensaje, estado: 'enviando' }, 'cerrada');
    let acceptance: Acceptance;
    try {
      acceptance = await this.provider.send(outbound);
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      return this.handleFailure(mensaje, claimed.intentos, error);
    }
    await this.accept(mensaje, acceptance);
    return 'Enviado.';
  }

  private async accept(
    mensaje: MensajeRow,
    { proveedorId, usuario, answerAfterMs }: Acceptance,
  ): Promise<void> {
    if (answerAfterMs !== undefined) {
      const data = { mensajeId: mensaje.id, ...(mensaje.guia !== null && { guia: mensaje.guia }) };
      const job = {
        id: `${mensaje.id}.respuesta`,
        name: 'responder_sandbox' as const,
        data,
        delay: answerAfterMs,
      };
      await this.queues.add(NOTIFICACIONES, [job]);
    }
    const id = proveedorId !== null && PROVEEDOR_ID.test(proveedorId) ? proveedorId : null;
    await this.database.query(acceptMensaje(mensaje.id, id, usuario));
    if (mensaje.avisada) await this.advertencias.remove(guiaOf(mensaje), 'mensaje_fallido');
    await this.pauses.end(this.provider.name);
  }

  /** @throws what makes the queue retry, pause or fail the job. */
  private async handleFailure(mensaje: MensajeRow, tries: number, error: SendError): Promise<never> {
    const { kind, causa, code, retryAfterMs } = error;
    const { id: mensajeId, guia } = mensaje;
    this.logger.warn(
      { mensaje: mensajeId, guia, proveedor: this.provider.name, kind, code, tries },
      'message not accepted',
    );
    const settle = (estado: MensajeEstado, inMs?: number, intentos?: number) =>
      this.database.query(settleMensaje(mensaje.id, ['enviando'], { estado, causa, inMs, intentos }));
    switch (kind) {
      case 'config':
      case 'rate': {
        const pauseMs = Math.min(Math.max(retryAfterMs ?? PAUSE_MS, MIN_PAUSE_MS), MAX_PAUSE_MS);
        await settle('pendiente', pauseMs, tries - 1);
        if (kind === 'config') await this.pauses.begin(this.provider.name, error);
        throw new PauseQueue(pauseMs);
      }
      case 'unknown':
      case 'transient': {
        const delayMs = retryDelay(tries, retryAfterMs);
        if (delayMs === undefined)
          return this.fail(
            mensaje,
            `Se intentó ${MAX_TRIES} veces en un día sin éxito. ${causa}`,
            error.code,
          );
        const waitMs = kind === 'unknown' ? Math.max(delayMs, STATUS_WAIT_MS) : delayMs;
        await settle(kind === 'unknown' ? 'incierto' : 'pendiente', waitMs);
        throw new RetryLater(causa, waitMs);
      }
      case 'permanent':
        return this.fail(mensaje, causa, error.code);
    }
  }

  private async fail(mensaje: MensajeRow, causa: string, codigo: string): Promise<never> {
    await this.warnOfFailure(mensaje, codigo);
    await this.database.query(settleMensaje(mensaje.id, ['enviando'], { estado: 'fallido', causa }));
    throw new UnrecoverableError(causa);
  }

  /** Why a message failed, in Spanish, for the board. */
  async failureOf(mensajeId: string): Promise<string> {
    const query = { text: 'select causa from mensajes where id = $1', values: [mensajeId] };
    const { rows } = await this.database.query<{ causa: string | null }>(query);
    return rows[0]?.causa ?? 'El proveedor no pudo entregar el mensaje.';
  }

  /** Warns the merchant on the guide that its recipient could not be reached. */
  async warnOfFailure(mensaje: Pick<MensajeRow, 'id' | 'tipo' | 'comercio_id' | 'guia_id'>, codigo: string) {
    if (mensaje.tipo !== 'confirmacion_ubicacion') return;
    const evento = {
      id: v5('fallido', mensaje.id),
      tipo: 'guia.mensaje_fallido' as const,
      datos: { codigo },
    };
    await this.advertencias.add(guiaOf(mensaje), 'mensaje_fallido', evento);
  }

  private async omit(mensaje: MensajeRow, reason: Omision): Promise<string> {
    const to = { estado: 'omitido' as const, causa: OMISIONES[reason] };
    await this.database.query(settleMensaje(mensaje.id, [mensaje.estado], to));
    const advertencia = ADVERTENCIAS[reason];
    if (advertencia && mensaje.tipo === 'confirmacion_ubicacion') {
      const evento = {
        id: v5('omitido', mensaje.id),
        tipo: 'guia.mensaje_omitido' as const,
        datos: { por: reason },
      };
      await this.advertencias.add(guiaOf(mensaje), advertencia, evento);
    }
    return `Omitido: ${OMISIONES[reason]}`;
  }

  private async wait(mensaje: MensajeRow, ms: number): Promise<never> {
    const causa = 'No se sabe si el mensaje salió; se espera su estado antes de repetirlo.';
    if (mensaje.estado === 'enviando') {
      const to = { estado: 'incierto' as const, causa, inMs: ms };
      await this.database.query(settleMensaje(mensaje.id, ['enviando'], to));
    }
    throw new RetryLater(causa, ms);
  }

  private async toOutbound(mensaje: MensajeRow, intentos: number, base: string): Promise<OutboundMessage> {
    const { id, tipo, telefono, usuario, guia, comercio } = mensaje;
    const token = tipo === 'confirmacion_ubicacion' ? this.confirmations.token(id) : null;
    const enlace = token === null ? null : `${base}/c/${token}`;
    const nombre = mensaje.destinatario ?? '';
    const texto = messageText(tipo, { nombre, comercio, guia, enlace });
    const opciones = tipo === 'elegir_guia' ? await this.requests.listOptions(mensaje) : [];
    return { id, tipo, telefono, usuario, texto, enlace, token, guia, comercio, nombre, opciones, intentos };
  }
}

const guiaOf = ({ comercio_id, guia_id }: Pick<MensajeRow, 'comercio_id' | 'guia_id'>) => ({
  comercioId: comercio_id!,
  guiaId: guia_id!,
});
