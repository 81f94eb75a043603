import type { FastifyReply } from 'fastify';

const DIFFERING = 'Guias-Campos-Distintos';

/** Documents the header that names the fields in which a repeat differs. */
export const differingHeader = (description: string) => ({
  [DIFFERING]: { description, schema: { type: 'string' as const } },
});

/** Answers a repeat with 200 and the fields in which it differs; changes nothing for a first request. */
export function answerRepeat(
  reply: FastifyReply,
  { isDuplicate, differing = [] }: { isDuplicate: boolean; differing?: string[] },
): void {
  if (isDuplicate) void reply.status(200);
  if (differing.length > 0) void reply.header(DIFFERING, differing.join(', '));
}
