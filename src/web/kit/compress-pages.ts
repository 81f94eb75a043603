import type { FastifyInstance } from 'fastify';
import { compress, encodingOf } from './compression.js';

/** Characters of a page that fits into one packet; compressing it gains nothing. */
const SMALL = 1_400;

/** What serves pages, without the board, whose page is adapted by a hook of its own, after this one. */
const PAGES = /^\/(?:admin(?!\/queues)|panel|c|r)(?:\/|$)/;

/** Sends pages compressed, and the list that a driver's page reads. */
export function compressPages(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply, body: unknown) => {
    if (typeof body !== 'string' || body.length < SMALL) return body;
    const isText = /^(?:text\/html|application\/json)/.test(String(reply.getHeader('Content-Type')));
    if (!isText || !PAGES.test(request.routeOptions.url ?? '')) return body;
    void reply.header('Vary', 'Accept-Encoding');
    const encoding = encodingOf(request.headers['accept-encoding']);
    if (encoding === undefined) return body;
    void reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
    return compress(encoding, body);
  });
}
