import type { FastifyRequest } from 'fastify';

/** Whether a program sends the request: a browser sends a form. */
export function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/json\b/i.test(headers['content-type'] ?? '');
}
