import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { toProblem } from '../errors/problem.filter.js';

/** Far below 2,000, above which Node silently drops headers, such as `X-Forwarded-For`. */
const MAX_HEADERS = 100;

/** Characters of a path, without its query. The longest of ours has some 150. */
const MAX_PATH = 1_024;

/** By the code of Node's error; any other is `http_invalido`. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'encabezados_excesivos',
  ERR_HTTP_REQUEST_TIMEOUT: 'solicitud_lenta',
};

/** The usual cause is a key that was read from a file with its line end. */
const HEADER_DETAIL =
  'Un encabezado tiene un salto de línea u otro signo que no puede llevar, o su nombre no es válido. Revise los valores que copia o lee de un archivo, como la clave: sin salto de línea al final.';

const URL_DETAIL =
  'La dirección tiene una letra o un signo sin codificar. En una URL `é` se escribe `%C3%A9`, y un espacio `%20`. Con curl, envíe cada filtro con `-G --data-urlencode`.';

/** By the code of the parser's error. */
const DETAILS: Record<string, string> = {
  HPE_INVALID_URL: URL_DETAIL,
  // After a blank in the address a version is expected.
  HPE_INVALID_CONSTANT: URL_DETAIL,
  HPE_INVALID_HEADER_TOKEN: HEADER_DETAIL,
  HPE_CR_EXPECTED: HEADER_DETAIL,
  HPE_LF_EXPECTED: HEADER_DETAIL,
  HPE_INVALID_CONTENT_LENGTH: 'El encabezado `Content-Length` no es un número.',
  HPE_UNEXPECTED_CONTENT_LENGTH:
    'El encabezado `Content-Length` está dos veces, o junto a `Transfer-Encoding`. Envíe uno solo.',
  HPE_INVALID_TRANSFER_ENCODING: 'El encabezado `Transfer-Encoding` solo puede ser `chunked`.',
  HPE_INVALID_CHUNK_SIZE:
    'El cuerpo en partes (`Transfer-Encoding: chunked`) tiene un tamaño que no es un número.',
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
  if (raw.rawHeaders.length > 2 * MAX_HEADERS) return new AppError('encabezados_excesivos');
  if (expect !== undefined && raw.httpVersion !== '1.0' && !KNOWN_EXPECTATION.test(expect))
    return new AppError('expectativa_no_soportada');
  // Node joins repeated headers with commas: see `joinDuplicateHeaders`.
  if (host === undefined ? raw.httpVersion !== '1.0' : host.includes(','))
    return new AppError('http_invalido', {
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
  const { code = '' } = error;
  const answer = new AppError(CODES[code] ?? 'http_invalido', { detail: DETAILS[code] });
  const body = JSON.stringify(toProblem(answer, headers['X-Request-Id']!));
  const head = Object.entries({
    ...headers,
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  // Destroy it: a client that never closes its side would otherwise keep the socket and its buffers.
  socket.end(
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
