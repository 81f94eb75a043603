import type { WhatsappConfig } from '../../../platform/config/env.js';
import { answerId } from '../answer-id.js';
import {
  SendError,
  type Acceptance,
  type MensajeTipo,
  type MessagingProvider,
  type OutboundMessage,
} from '../messaging-provider.js';
import { PostJsonClient } from '../post-json.client.js';
import { ofPinTemplate, refusalOf } from './whatsapp-errors.js';
import { toCloudMessage } from './whatsapp-messages.js';

/** The parts of an answer that are used; any of them may be missing. */
type CloudAnswer =
  { messages?: { id?: unknown }[]; contacts?: { wa_id?: unknown; user_id?: unknown }[] } | null | undefined;

export class WhatsappProvider implements MessagingProvider {
  readonly name = 'whatsapp';
  /** The Cloud API has no idempotency key. */
  readonly isIdempotent = false;
  private readonly client: PostJsonClient;

  /** @param limits of one request; 10 s unless given. */
  constructor(
    private readonly config: WhatsappConfig,
    limits: { timeoutMs?: number } = {},
  ) {
    const url = `${config.apiUrl}/${config.phoneNumberId}/messages`;
    this.client = new PostJsonClient(
      { url, nombre: 'WhatsApp', variable: 'WHATSAPP_API_URL' },
      limits.timeoutMs,
    );
  }

  sends(tipo: MensajeTipo): boolean {
    return tipo !== 'pin_de_entrega' || this.config.pinTemplate !== undefined;
  }

  async send(message: OutboundMessage): Promise<Acceptance> {
    const body = JSON.stringify(toCloudMessage(message, this.config));
    const { status, json, words, retryAfterMs } = await this.client.post(body, {
      authorization: `Bearer ${this.config.token}`,
    });
    if (status < 200 || status > 299) {
      const refusal = refusalOf(status, json, retryAfterMs);
      throw Object.assign(message.tipo === 'pin_de_entrega' ? ofPinTemplate(refusal) : refusal, {
        answer: words,
      });
    }
    const answer = json as CloudAnswer;
    const proveedorId = answerId(answer?.messages?.[0]?.id, 512);
    if (proveedorId === null) throw unidentified(status);
    const contact = answer?.contacts?.[0];
    // A `wa_id` is only the number again, so it never replaces a known user id.
    const usuario = answerId(contact?.user_id, 200) ?? message.usuario ?? answerId(contact?.wa_id, 200);
    return { proveedorId, usuario };
  }
}

function unidentified(status: number): SendError {
  const code = `HTTP ${status} sin id`;
  return new SendError(
    'unknown',
    `WhatsApp respondió sin identificar el mensaje (${code}) y pudo haberlo recibido. Confirme si llegó antes de reintentar.`,
    code,
  );
}
