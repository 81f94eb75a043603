import { setImmediate as nextTurn } from 'node:timers/promises';
import { Controller, Get, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Public } from '../../platform/http/public.js';
import { MIB } from '../../platform/config/body-limit.js';
import { Config } from '../../platform/config/env.js';
import { isSameSecret } from '../../platform/config/secrets.js';
import { AppError } from '../../platform/errors/app-error.js';
import { excessOf, type JsonLimits } from '../../platform/http/json-shape.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { InboundService } from './inbound.service.js';
import { readWhatsappEvents } from './whatsapp/webhook-events.js';
import { unsigned, WHATSAPP_PATH } from './whatsapp/unsigned-webhooks.js';
import { isSignedByMeta } from './whatsapp/webhook-signature.js';

/** Events that one statement stores; other requests run before the next. Meta sends up to 1,000 at a time. */
const TOGETHER = 100;

/** Far above what Meta sends. */
const LIMITS: JsonLimits = { levels: 32, names: 200 };

/** Receives WhatsApp's webhooks: https://developers.facebook.com/docs/whatsapp/webhooks */
@ApiExcludeController()
@Controller(WHATSAPP_PATH)
export class WhatsappController {
  constructor(
    private readonly config: Config,
    private readonly inbound: InboundService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Meta verifies the webhook when it is registered. */
  @Get()
  @Public()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  challenge(@Req() request: FastifyRequest): string {
    const query = request.query as Record<string, unknown>;
    const challenge = query['hub.challenge'];
    const token = query['hub.verify_token'];
    const expected = this.config.whatsapp?.verifyToken;
    const isVerified = typeof token === 'string' && expected !== undefined && isSameSecret(token, expected);
    if (query['hub.mode'] !== 'subscribe' || !isVerified || typeof challenge !== 'string') {
      throw new AppError('sin_permiso', {
        detail:
          expected === undefined
            ? 'Este servicio no usa WhatsApp: no tiene WHATSAPP_VERIFY_TOKEN.'
            : 'El `hub.verify_token` no es el de WHATSAPP_VERIFY_TOKEN.',
      });
    }
    return challenge;
  }

  /** Answers once the events are stored: Meta retries a webhook without an answer for days. */
  @Post()
  @HttpCode(200)
  // Meta's maximum is 3 MiB.
  @Public({ bodyLimit: 3 * MIB, takesRawJson: true })
  async receive(@Req() request: FastifyRequest): Promise<{ ok: true }> {
    const { whatsapp } = this.config;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const signature = request.headers['x-hub-signature-256'];
    if (!whatsapp || !isSignedByMeta(body, signature, whatsapp.appSecret)) throw unsigned();
    // Each reading of 3 MiB takes up to 20 ms; other requests run in between.
    await nextTurn();
    const parsed = await parse(body);
    await nextTurn();
    const found = readWhatsappEvents(parsed, whatsapp.phoneNumberId);
    let ignored = 0;
    for (const part of partsOf(found, TOGETHER)) {
      const events = part.filter((event) => event !== null);
      ignored += part.length - events.length;
      await this.inbound.record(events);
      await nextTurn();
    }
    if (ignored > 0) this.logger.info({ ignored }, 'parts of a WhatsApp webhook were ignored');
    return { ok: true };
  }
}

/** Some at a time. */
function* partsOf<T>(all: Iterable<T>, size: number): Generator<T[]> {
  let part: T[] = [];
  for (const one of all) {
    part.push(one);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  yield part;
}

/** Undefined for invalid JSON. A signed webhook still gets 200: a retry would have the same body. */
async function parse(body: Buffer): Promise<unknown> {
  if (excessOf(body, LIMITS)) return undefined;
  await nextTurn();
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
