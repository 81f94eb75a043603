import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { KIB } from '../config/body-limit.js';
import { AppError } from '../errors/app-error.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The field of a form in which the route takes a file; its `bodyLimit` is the file's. */
    takesFile?: string;
  }
}

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

/** Bytes of the headers of a part. */
const MAX_HEADERS = 8 * KIB;

/** Bytes that are searched before other requests run. */
const PART = 256 * KIB;

/** Parses `multipart/form-data`, on the few routes that take it, into an object of the fields' texts and the file. */
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

/** @param file the field of the file, whose bytes are not copied. @throws AppError `json_invalido` */
export async function parseMultipart(
  body: Buffer,
  type: string,
  file: string,
): Promise<Record<string, string | SentFile>> {
  const [, quoted, bare] = /;\s{0,9}boundary=(?:"([^"]{1,70})"|([^";\s]{1,70}))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw unreadable();
  const fields = Object.create(null) as Record<string, string | SentFile>;
  // Before the first boundary there may be no line.
  const first = Buffer.from(`--${boundary}`);
  let at = body.subarray(0, first.length).equals(first) ? 0 : await find(body, `\r\n--${boundary}`, 0);
  for (let parts = 0; ; parts++) {
    if (at < 0 || parts > MAX_PARTS) throw unreadable();
    const start = at + first.length + (at === 0 ? 0 : 2);
    if (body.toString('latin1', start, start + 2) === '--') return fields;
    const headersEnd = body.subarray(start, start + MAX_HEADERS).indexOf('\r\n\r\n');
    if (headersEnd < 0) throw unreadable();
    const { name, fileName } = namesIn(body.toString('utf8', start, start + headersEnd));
    const from = start + headersEnd + 4;
    // The line break of an empty part is that of its headers, too.
    at = await find(body, `\r\n--${boundary}`, from - 2);
    if (at < 0) throw unreadable();
    const content = body.subarray(from, Math.max(at, from));
    if (fileName === undefined) fields[name] = content.toString();
    else if (name === file) fields[name] = { name: fileName, bytes: content };
  }
}

/** Where a text stands in a body. In turns: one that nearly fits everywhere takes a while to find. */
async function find(body: Buffer, text: string, from: number): Promise<number> {
  for (let start = from; start < body.length; start += PART) {
    const at = body.subarray(start, start + PART + text.length - 1).indexOf(text, 0, 'latin1');
    if (at >= 0) return start + at;
    await nextTurn();
  }
  return -1;
}

const NAME = /;\s{0,9}name="([^"\r\n]{0,200})"/i;
const FILE_NAME = /;\s{0,9}filename="([^"\r\n]{0,1000})"/i;

/** Browsers escape only these. */
const ESCAPES: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** The names in the headers of a part. @throws AppError `json_invalido` where its field has none */
function namesIn(headers: string): { name: string; fileName: string | undefined } {
  const disposition = headers.split('\r\n').find((line) => /^content-disposition\s{0,9}:/i.test(line)) ?? '';
  const [name, fileName] = [NAME, FILE_NAME].map((form) =>
    form.exec(disposition)?.[1]?.replace(/%(?:22|0D|0A)/gi, (code) => ESCAPES[code.toUpperCase()]!),
  );
  if (name === undefined) throw unreadable();
  return { name, fileName };
}

function unreadable(): AppError {
  return new AppError('json_invalido', {
    detail: 'El formulario llegó incompleto. Envíelo otra vez.',
  });
}
