import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.js';
import { toProblem } from '../errors/problem.filter.js';

const STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers bytes that are not HTTP, or a request that arrives too slowly: these have no reply object. */
export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS[error.code ?? ''] ?? '400 Bad Request';
  const detail = 'La solicitud no es HTTP válido, o llegó demasiado despacio.';
  const problem = toProblem(new AppError('json_invalido', { detail }), requestId);
  const body = JSON.stringify({ ...problem, status: Number(status.slice(0, 3)) });
  const head = [
    `HTTP/1.1 ${status}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
