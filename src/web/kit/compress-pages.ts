import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compress, encodingOf } from './compression.js';

/** Characters of a page that fits into one packet; compressing it gains nothing. */
const SMALL = 1_400;

/** Paths of pages, without the board, whose page is adapted by a hook of its own, after this one. */
const PAGES = /^\/(?:admin(?!\/queues)|panel|c|r)(?:\/|$)/;

/** Sends pages compressed, and the list that a driver's page reads. Call it before routes are registered. */
export function compressPages(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    // First: Fastify's own hook of HEAD drops the body.
    if (PAGES.test(route.url)) route.onSend = [compressText, ...[route.onSend ?? []].flat()];
  });
}

async function compressText(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<unknown> {
  if (typeof body !== 'string' || body.length < SMALL) return body;
  const isText = /^(?:text\/html|application\/json)/.test(String(reply.getHeader('Content-Type')));
  if (!isText) return body;
  void reply.header('Vary', 'Accept-Encoding');
  const encoding = encodingOf(request.headers['accept-encoding']);
  if (encoding === undefined) return body;
  void reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
  return compress(encoding, body);
}
