import { repeatsMessage } from '../providers/answer-words.js';
import { Inject, Injectable } from '@nestjs/common';
import { UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { Config } from '../../platform/config/env.js';
import { GOING_LIVE, missingForLive } from '../../platform/config/going-live.js';
import { Secrets } from '../../platform/config/secrets.js';
import { ConfirmationsService } from '../../confirmations/confirmations.service.js';
import { pinOf } from '../../guias/pin/pin.js';
import { TrackingLinksService } from '../../guias/tracking/tracking-links.service.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { JobCounters, type MessageResult } from '../../platform/queues/job-counters.js';
import { PauseQueue, RetryLater } from '../../platform/queues/job-errors.js';
import { QueuesService } from '../../platform/queues/queues.service.js';
import { MessageWarningsService } from '../messages/message-warnings.service.js';
import { messageText } from '../messages/message-text.js';
import type { MensajeRow } from '../messages/messages.queries.js';
import { jobDataOf, queueOf } from '../notifications.queue.js';
import { OpenRequestsService } from '../messages/open-requests.service.js';
import {
  PROVIDER,
  SendError,
  startsConversation,
  type Acceptance,
  type MessagingProvider,
  type OutboundMessage,
} from '../providers/messaging-provider.js';
import { SandboxProvider } from '../providers/sandbox/sandbox.provider.js';
import { MAX_TRIES, retryDelay } from '../messages/retry-schedule.js';
import { decide, OMISIONES, STATUS_WAIT_MS, type Omision } from '../messages/send-decision.js';
import { OutageWatch } from './outage-watch.js';
import { HOLD_MS } from './outages.queries.js';
import { OutagesService } from './outages.service.js';
import { quotaHash } from './phone-hash.js';
import { sendInSpan } from './send-span.js';
import { SenderPausesService } from '../pauses/sender-pauses.service.js';
import type { Settled } from './tries.queries.js';
import { TriesService } from './tries.service.js';

/** Milliseconds until a paused provider is tried again, unless its answer has a `Retry-After`. */
const PAUSE_MS = 60_000;

/**
 * Milliseconds; bounds of a provider's `Retry-After`. At least a second, as BullMQ cannot pause for 0 ms; at most ten
 * minutes, as the board does not show the pause.
 */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 600_000;

/** Milliseconds until a message is looked at again whose provider's outage ended before it could wait. */
const OVER_MS = 1_000;

/** Milliseconds until a message is looked at again whose guide left again while it was omitted. */
const DEPARTED_MS = 1_000;

@Injectable()
export class SenderService {
  private readonly sandbox = new SandboxProvider();
  private readonly missing = missingForLive(this.config);
  private hasLoggedMissing = false;
  private readonly watch = new OutageWatch();

  constructor(
    private readonly tries: TriesService,
    @Inject(PROVIDER) private readonly provider: MessagingProvider,
    private readonly confirmations: ConfirmationsService,
    private readonly requests: OpenRequestsService,
    private readonly warnings: MessageWarningsService,
    private readonly queues: QueuesService,
    private readonly counters: JobCounters,
    private readonly pauses: SenderPausesService,
    private readonly outages: OutagesService,
    private readonly links: TrackingLinksService,
    private readonly secrets: Secrets,
    private readonly config: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Sends a message if it is still needed; idempotent.
   * @param wasCutOff of the job that asks for it.
   * @returns the outcome in Spanish, for the board.
   * @throws RetryLater; PauseQueue; UnrecoverableError if only a person can decide.
   */
  async send(mensajeId: string, wasCutOff = false): Promise<string> {
    const mensaje = await this.tries.load(mensajeId);
    if (!mensaje) return 'El mensaje no existe.';
    const { estado } = mensaje;
    const decision = decide(mensaje, this.providerOf(mensaje).isIdempotent, wasCutOff);
    switch (decision.action) {
      case 'none':
        // The process that sent it may have died before removing the warning.
        if (mensaje.sin_preguntar && estado !== 'omitido') await this.warnings.removeFailure(mensaje);
        this.count(mensaje, 'unneeded');
        return 'No había nada que enviar.';
      case 'omit':
        return this.omit(mensaje, decision.reason);
      case 'fail':
        return endFailed(mensaje, mensaje.causa!);
      case 'yield':
        throw new RetryLater('Otro proceso lo está enviando.', decision.ms);
      case 'wait':
        return this.wait(mensaje, decision.ms);
      case 'send':
        if (this.providerOf(mensaje).sends?.(mensaje.tipo) === false)
          return this.omit(mensaje, 'sin_plantilla');
        return mensaje.caida === null ? this.claimAndSend(mensaje) : this.hold(mensaje, mensaje.caida);
    }
  }

  private count(mensaje: MensajeRow, result: MessageResult): void {
    this.counters.message(this.providerOf(mensaje).name, result);
  }

  /** Messages of test guides always go to the sandbox. */
  private providerOf({ de_prueba }: MensajeRow): MessagingProvider {
    return de_prueba ? this.sandbox : this.provider;
  }

  private async claimAndSend(mensaje: MensajeRow): Promise<string> {
    const enlaceBase = this.links.origin();
    const provider = this.providerOf(mensaje);
    const usesQuota =
      !mensaje.de_prueba && startsConversation(mensaje.tipo) && mensaje.primer_intento_en === null;
    const huella = usesQuota ? quotaHash(mensaje, this.secrets.phoneKey) : null;
    const claimed = await this.tries.claim({ mensaje, proveedor: provider.name, enlaceBase, huella });
    if (!claimed) return 'Otro proceso lo está enviando.';
    const { omision, intentos } = claimed;
    if (omision) return this.omit(mensaje, omision);
    if (this.missing.length > 0 && !mensaje.de_prueba) await this.warnUnsent(mensaje);
    const outbound = await this.toOutbound(mensaje, intentos - 1, enlaceBase);
    // All of its guides have been confirmed since.
    if (mensaje.tipo === 'elegir_guia' && outbound.opciones.length === 0)
      return this.omit({ ...mensaje, estado: 'enviando' }, 'cerrada');
    let acceptance: Acceptance;
    try {
      acceptance = await sendInSpan(provider, outbound);
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      if (error.answer !== null && repeatsMessage(error.answer, outbound)) error.answer = null;
      return this.handleFailure(mensaje, intentos, error);
    }
    await this.accept(mensaje, acceptance);
    this.count(mensaje, 'sent');
    return 'Enviado.';
  }

  private async accept(
    mensaje: MensajeRow,
    { proveedorId, usuario, answerAfterMs }: Acceptance,
  ): Promise<void> {
    if (answerAfterMs !== undefined) {
      const id = `${mensaje.id}.respuesta`;
      const job = { id, name: 'responder_sandbox', data: jobDataOf(mensaje), delay: answerAfterMs };
      await this.queues.add(queueOf(mensaje), [job]);
    }
    const to = { estado: 'aceptado', resultado: 'aceptado', proveedorId, usuario } as const;
    await this.tries.settle({ id: mensaje.id, desde: 'enviando', ...to });
    if (mensaje.sin_preguntar) await this.warnings.removeUnasked(mensaje);
    if (mensaje.con_mensaje_no_enviado && this.missing.length === 0)
      await this.warnings.removeUnsent(mensaje);
    if (mensaje.de_prueba) return;
    this.watch.succeeded();
    if (mensaje.es_sonda) await this.outages.end();
    await this.pauses.end(this.provider.name);
  }

  /** Before the message counts as accepted, so that after a crash in between the next try warns. */
  private async warnUnsent(mensaje: MensajeRow): Promise<void> {
    await this.warnings.addUnsent(mensaje);
    if (this.hasLoggedMissing) return;
    this.hasLoggedMissing = true;
    const settings = this.missing.map((name) => GOING_LIVE[name]);
    this.logger.warn({ guia: mensaje.guia, settings }, 'the recipient of a live guide cannot be asked');
  }

  /** @returns the outcome, where nobody has to act. @throws what makes the queue retry, pause or fail the job. */
  private async handleFailure(mensaje: MensajeRow, tries: number, error: SendError): Promise<string> {
    const { kind, code, retryAfterMs } = error;
    const causa = causeOf(error, this.providerOf(mensaje));
    const { id: mensajeId, guia } = mensaje;
    this.logger.warn(
      { mensaje: mensajeId, guia, proveedor: this.providerOf(mensaje).name, kind, code, tries },
      'message not accepted',
    );
    const settle = (to: Pick<Settled, 'resultado' | 'estado' | 'inMs' | 'intentos'>) =>
      this.tries.settle({ id: mensajeId, desde: 'enviando', causa, ...to });
    switch (kind) {
      case 'config':
      case 'rate': {
        const pauseMs = Math.min(Math.max(retryAfterMs ?? PAUSE_MS, MIN_PAUSE_MS), MAX_PAUSE_MS);
        await settle({ resultado: 'detenido', estado: 'pendiente', inMs: pauseMs, intentos: tries - 1 });
        if (kind === 'config') await this.pauses.begin(this.provider.name, error, pauseMs);
        this.count(mensaje, 'paused');
        throw new PauseQueue(pauseMs);
      }
      case 'unknown':
      case 'transient': {
        const isOut = !mensaje.de_prueba && this.watch.failed(mensajeId, code);
        if (isOut || mensaje.es_sonda) {
          const waits = kind === 'transient' || this.provider.isIdempotent;
          // Before the outage is recorded, so that the message waits before the outage can end.
          if (waits)
            await settle({ resultado: 'detenido', estado: 'pendiente', inMs: HOLD_MS, intentos: tries - 1 });
          await this.outages.begin(error);
          if (waits) {
            this.count(mensaje, 'paused');
            throw new RetryLater(causa, HOLD_MS);
          }
        }
        const delayMs = retryDelay(tries, retryAfterMs);
        if (delayMs === undefined)
          return this.fail(mensaje, `Se intentó ${MAX_TRIES} veces en un día sin éxito. ${causa}`, code);
        const waitMs = kind === 'unknown' ? Math.max(delayMs, STATUS_WAIT_MS) : delayMs;
        await settle({
          ...(kind === 'unknown'
            ? { resultado: 'sin_respuesta', estado: 'incierto' }
            : { resultado: 'reintenta', estado: 'pendiente' }),
          inMs: waitMs,
        });
        this.count(mensaje, 'retried');
        throw new RetryLater(causa, waitMs);
      }
      case 'permanent':
        return this.fail(mensaje, causa, code);
    }
  }

  /** Its provider is out: it waits until it takes messages again. */
  private async hold(mensaje: MensajeRow, causa: string): Promise<never> {
    // Not held: the outage is over, and what waits from now on is not released with the others.
    if (!(await this.tries.hold(mensaje))) throw new RetryLater(causa, OVER_MS);
    this.count(mensaje, 'paused');
    throw new RetryLater(causa, HOLD_MS);
  }

  private async fail(mensaje: MensajeRow, causa: string, code: string): Promise<string> {
    await this.warnings.addFailure(mensaje, mensaje.proveedor_id, code);
    await this.tries.settle({
      id: mensaje.id,
      desde: 'enviando',
      estado: 'fallido',
      resultado: 'fallido',
      causa,
    });
    this.count(mensaje, 'failed');
    return endFailed(mensaje, causa);
  }

  /** Warns first: after a crash in between, the next try does both again, and the warning is idempotent. */
  private async omit(mensaje: MensajeRow, reason: Omision): Promise<string> {
    await this.warnings.addOmission(mensaje, reason);
    const causa = OMISIONES[reason].name;
    const omitted = { id: mensaje.id, desde: mensaje.estado, estado: 'omitido', causa } as const;
    const wasCutOff = mensaje.estado === 'enviando';
    const aparcado = reason === 'fuera_de_ruta' && {
      aparcado: true,
      resultado: wasCutOff ? ('interrumpido' as const) : undefined,
    };
    const isOmitted = await this.tries.settle({ ...omitted, ...aparcado });
    // It may have left again since: that departure found this message waiting, and made no other.
    if (aparcado && !isOmitted) throw new RetryLater(causa, DEPARTED_MS);
    this.count(mensaje, 'omitted');
    return `Omitido: ${causa}`;
  }

  private async wait(mensaje: MensajeRow, ms: number): Promise<never> {
    const causa = 'No se sabe si el mensaje salió; se espera su estado antes de repetirlo.';
    const to = { estado: 'incierto', resultado: 'interrumpido', causa, inMs: ms } as const;
    if (mensaje.estado === 'enviando') await this.tries.settle({ id: mensaje.id, desde: 'enviando', ...to });
    throw new RetryLater(causa, ms);
  }

  private async toOutbound(mensaje: MensajeRow, intentos: number, base: string): Promise<OutboundMessage> {
    const { id, tipo, telefono, usuario, guia, comercio } = mensaje;
    const token = tipo === 'confirmacion_ubicacion' ? this.confirmations.token(id) : null;
    const enlace = token === null ? null : `${base}/c/${token}`;
    const nombre = mensaje.destinatario ?? '';
    const pin = tipo === 'pin_de_entrega' ? pinOf(mensaje.guia_id!, this.secrets.pinKey) : null;
    const texto = messageText(tipo, { nombre, comercio, guia, enlace, pin });
    const opciones = tipo === 'elegir_guia' ? await this.requests.listOptions(mensaje) : [];
    const about = { guia, comercio, nombre, texto, enlace, token, pin, opciones };
    return { id, tipo, telefono, usuario, intentos, ...about };
  }
}

/** Cause and advice, with the bridge's own words: it is the operator's, and only it knows why. */
function causeOf({ message, answer }: SendError, { name }: MessagingProvider): string {
  return name === 'webhook' && answer !== null ? `${message} «${answer.replaceAll(/[«»]/g, '"')}»` : message;
}

/** Ends the job of a message that failed for good: on the board, unless its guide is a test, which needs no person. */
function endFailed({ de_prueba }: MensajeRow, causa: string): string {
  if (de_prueba) return causa;
  throw new UnrecoverableError(causa);
}
