import type { FastifyInstance } from 'fastify';
import { compress, encodingOf } from '../../kit/compression.js';

/** Characters of a page that fits into one packet; compressing it gains nothing. */
const SMALL = 1_400;

/** Sends staff's pages compressed: lists of a hundred guides, and of all drivers, are large. */
export function compressPages(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply, body: unknown) => {
    if (request.adminUser === undefined || typeof body !== 'string' || body.length < SMALL) return body;
    // The board's page is adapted by a hook of its own, after this one.
    if (!body.includes('<main ') || reply.hasHeader('Content-Encoding')) return body;
    void reply.header('Vary', 'Accept-Encoding');
    const encoding = encodingOf(request.headers['accept-encoding']);
    if (encoding === undefined) return body;
    void reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
    return compress(encoding, body);
  });
}
