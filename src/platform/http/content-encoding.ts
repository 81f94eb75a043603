import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { hasBody } from './empty-body.js';

/** Codings that compress. Some clients send other values, such as `utf-8`, with a plain body. */
const COMPRESSED = /\b(gzip|deflate|br|zstd|compress)\b/i;

/** Refuses compressed bodies unread: a few bytes may unpack to too many. Call it before routes are registered. */
export function refuseCompressedBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, _reply, _payload, done) => {
    done(isCompressed(request) ? compressed() : null);
  });
}

function isCompressed({ raw }: FastifyRequest): boolean {
  const coding = raw.headers['content-encoding'];
  return coding !== undefined && hasBody(raw) && COMPRESSED.test(coding);
}

function compressed(): AppError {
  return new AppError('tipo_no_soportado', {
    detail: 'Envíe el cuerpo sin comprimir, y sin el encabezado `Content-Encoding`.',
    // RFC 9110 §12.5.3: the codings that the request could have used.
    headers: { 'Accept-Encoding': 'identity' },
  });
}
