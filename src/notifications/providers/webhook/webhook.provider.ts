import { signWebhook } from '../../../platform/outbound/standard-webhooks.js';
import { traceparent } from '../../../platform/tracing/spans.js';
import { answerId } from '../answer-id.js';
import {
  SendError,
  type Acceptance,
  type MessagingProvider,
  type OutboundMessage,
} from '../messaging-provider.js';
import { PostJsonClient, type Answer } from '../post-json.client.js';

/** Numbers in a row that the bridge forbids: one alone is the number's own matter. */
const FORBIDDEN_NUMBERS = 3;

/** Posts messages to a URL of the operator's, signed as Standard Webhooks specifies. */
export class WebhookProvider implements MessagingProvider {
  readonly name = 'webhook';
  /** The receiver recognises a repeat by `webhook-id`. */
  readonly isIdempotent = true;
  private readonly client: PostJsonClient;
  private readonly key: Buffer;
  /** Whom the bridge has forbidden since it last answered anything else. */
  private readonly forbidden = new Set<string>();

  /** @param limits of one request; 10 s unless given. */
  constructor(config: { url: string; key: Buffer }, limits: { timeoutMs?: number } = {}) {
    this.key = config.key;
    this.client = new PostJsonClient(
      { url: config.url, nombre: 'El puente de mensajería', variable: 'MESSAGING_WEBHOOK_URL' },
      limits.timeoutMs,
    );
  }

  async send(message: OutboundMessage): Promise<Acceptance> {
    const { id, tipo, telefono, texto, enlace, guia, comercio, pin } = message;
    const body = JSON.stringify({
      ...{ id, tipo, telefono, texto, enlace, guia, comercio },
      ...(pin !== null && { pin }),
    });
    // The bridge is the operator's own, so it may continue the trace.
    const parent = traceparent();
    const headers = { ...signWebhook(id, body, [this.key]), ...(parent && { traceparent: parent }) };
    const answer = await this.client.post(body, headers);
    if (answer.status < 200 || answer.status > 299)
      throw Object.assign(refusal(answer, this.isPaused(answer, telefono)), { answer: answer.words });
    this.forbidden.clear();
    const proveedorId = answerId((answer.json as { id?: unknown } | null | undefined)?.id, 512);
    return { proveedorId, usuario: null };
  }

  /** Whether the refusal is of all messages, and not of this one. */
  private isPaused({ status }: Answer, telefono: string | null): boolean {
    if (status !== 403) {
      this.forbidden.clear();
      return status === 401;
    }
    if (telefono !== null && this.forbidden.size < FORBIDDEN_NUMBERS) this.forbidden.add(telefono);
    return this.forbidden.size === FORBIDDEN_NUMBERS;
  }
}

/** @param isOfAll whether no message gets through until a person acts. */
function refusal({ status, retryAfterMs }: Answer, isOfAll: boolean): SendError {
  const code = `HTTP ${status}`;
  const transient = (message: string) => new SendError('transient', message, code, retryAfterMs);
  const permanent = (message: string) => new SendError('permanent', message, code);
  if (status === 429)
    return transient(`El puente de mensajería pide ir más despacio (${code}). Reintente más tarde.`);
  if (status >= 500)
    return transient(
      `El puente de mensajería tiene una falla (${code}). Avise a quien lo opera y reintente.`,
    );
  if (status < 400)
    return permanent(
      `El puente de mensajería redirige a otra dirección (${code}). Ponga la definitiva en MESSAGING_WEBHOOK_URL, reinicie y reintente.`,
    );
  if (isOfAll)
    return new SendError(
      'config',
      `El puente de mensajería no acepta los mensajes (${code}). Revise MESSAGING_WEBHOOK_SECRET con quien lo opera.`,
      code,
      retryAfterMs,
    );
  if (status === 403)
    return permanent(
      `El puente de mensajería no acepta este número (${code}). Revise el teléfono con el comercio y reintente.`,
    );
  if (status === 404 || status === 410)
    return permanent(
      `El puente de mensajería no está en esa dirección (${code}). Revise MESSAGING_WEBHOOK_URL con quien lo opera y reintente.`,
    );
  return permanent(
    `El puente de mensajería rechazó el mensaje (${code}). Revise los datos con quien lo opera y reintente.`,
  );
}
