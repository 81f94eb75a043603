import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The field of a form in which the route takes a file; its `bodyLimit` is the file's. */
    takesFile?: string;
  }
}

/** A file of a form. */
export interface SentFile {
  name: string;
  bytes: Buffer;
}

/** The file of a parsed form; undefined where its field was not sent, or as a text. */
export function sentFile(body: unknown, field: string): SentFile | undefined {
  const sent = (body as Record<string, SentFile | undefined> | null | undefined)?.[field];
  return Buffer.isBuffer(sent?.bytes) ? sent : undefined;
}

/** Fields of a form with a file. */
const MAX_PARTS = 20;

/**
 * Parses `multipart/form-data`, on the few routes that take it, into an object of the fields' texts and the file. Node's own
 * parser of such bodies reads it.
 */
export function registerMultipartBody(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const { takesFile } = request.routeOptions.config;
      if (body.length === 0) return null;
      if (takesFile === undefined) throw new AppError('tipo_no_soportado');
      return parseMultipart(body, request.headers['content-type'] ?? '', takesFile);
    },
  );
}

/** @throws AppError `json_invalido` */
export async function parseMultipart(
  body: Buffer,
  type: string,
  file: string,
): Promise<Record<string, string | SentFile>> {
  const fields: Record<string, string | SentFile> = {};
  for (const [name, value] of await partsOf(body, type)) {
    if (typeof value === 'string') fields[name] = value;
    else if (name === file)
      fields[name] = { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return fields;
}

async function partsOf(body: Buffer, type: string): Promise<FormData> {
  const [, quoted, bare] = /;\s{0,9}boundary=(?:"([^"]{1,70})"|([^";\s]{1,70}))/i.exec(type) ?? [];
  const boundary = Buffer.from(`--${quoted ?? bare ?? ''}`);
  let count = 0;
  for (let at = body.indexOf(boundary); at >= 0; at = body.indexOf(boundary, at + boundary.length))
    if (++count > MAX_PARTS) throw unreadable();
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause?: unknown): AppError {
  return new AppError('json_invalido', {
    detail: 'El formulario llegó incompleto. Envíelo otra vez.',
    cause,
  });
}
