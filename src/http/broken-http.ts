import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { toProblem } from '../errors/problem.filter.js';

/** Far below 2,000, above which Node silently drops headers, such as `X-Forwarded-For`. */
const MAX_HEADERS = 100;

/** Characters of a path, without its query. The longest of ours has some 150. */
const MAX_PATH = 1_024;

const STATUS: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
const REASON: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** The only expectation that a server knows; Node has answered it already. */
const KNOWN_EXPECTATION = /(?:^|\W)100-continue(?:$|\W)/i;

/** Rejects a request based on its head only. Call it before any other hook. */
export function refuseBrokenHeads(fastify: FastifyInstance): void {
  const { server } = fastify;
  // Node would answer 417 without our headers.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  fastify.addHook('onRequest', (request, _reply, done) => done(faultOf(request)));
}

function faultOf({ raw, url, headers: { host, expect } }: FastifyRequest): AppError | undefined {
  if (raw.rawHeaders.length > 2 * MAX_HEADERS) {
    const detail = `La solicitud puede tener hasta ${MAX_HEADERS} encabezados.`;
    return new AppError('json_invalido', { status: 431, detail });
  }
  if (expect !== undefined && raw.httpVersion !== '1.0' && !KNOWN_EXPECTATION.test(expect)) {
    const detail = 'El servicio no puede cumplir lo que pide `Expect`. Quite ese encabezado.';
    return new AppError('json_invalido', { status: 417, detail });
  }
  // Node joins repeated headers with commas: see `joinDuplicateHeaders`.
  if (host === undefined ? raw.httpVersion !== '1.0' : host.includes(','))
    return new AppError('json_invalido', {
      detail: 'La solicitud debe tener un encabezado `Host`, y uno solo.',
    });
  const path = url.indexOf('?');
  return (path < 0 ? url.length : path) > MAX_PATH ? new AppError('no_encontrado') : undefined;
}

/** Responds to bytes that are not HTTP and to requests that arrive too slowly: these have no reply object. */
export function answerBrokenHttp(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS[error.code ?? ''] ?? 400;
  const detail = 'La solicitud no es HTTP válido, o llegó demasiado despacio.';
  const body = JSON.stringify(
    toProblem(new AppError('json_invalido', { status, detail }), headers['X-Request-Id']!),
  );
  const head = Object.entries({
    ...headers,
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  // Destroy it: a client that never closes its side would otherwise keep the socket and its buffers.
  socket.end(`HTTP/1.1 ${status} ${REASON[status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}
