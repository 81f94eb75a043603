import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { AppError } from '../../../platform/errors/app-error.js';
import { signatureIn } from './webhook-signature.js';

/** Of the route that Meta calls. */
export const WHATSAPP_PATH = 'webhooks/whatsapp';

/** Bytes. Meta's usual webhook has a few hundred. */
const LARGE = 64 * 1024;

/** Concurrent large uploads, which anyone can send; Meta redelivers what gets 503. */
const LARGE_AT_ONCE = 8;

/** Rejects a webhook that cannot be from Meta before its body (up to 3 MiB) is read. Call it before routes are registered. */
export function refuseUnsignedWebhooks(fastify: FastifyInstance, isConfigured: boolean): void {
  let arriving = 0;
  const onRequest: onRequestHookHandler = ({ headers }, reply, done) => {
    if (!isConfigured || signatureIn(headers['x-hub-signature-256']) === undefined) return done(unsigned());
    if (Number(headers['content-length'] ?? Infinity) <= LARGE) return done();
    if (arriving === LARGE_AT_ONCE) return done(new AppError('no_disponible'));
    arriving++;
    reply.raw.once('close', () => arriving--);
    done();
  };
  fastify.addHook('onRoute', (route) => {
    if (route.url === `/${WHATSAPP_PATH}` && route.method === 'POST') route.onRequest = onRequest;
  });
}

export function unsigned(): AppError {
  return new AppError('no_autenticado', {
    detail: 'La firma `X-Hub-Signature-256` no corresponde al cuerpo.',
  });
}
