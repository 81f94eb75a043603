import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.js';
import { ERRORS, type ErrorCode, type ErrorDefinition } from './error-codes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of its error answer. */
    codigo?: ErrorCode;
  }
}

/** Translates errors of one library; undefined for any other. */
type ErrorReader = (error: unknown, request: FastifyRequest) => AppError | undefined;

export interface ErrorPage {
  html: string;
  headers: Record<string, string>;
}

/** Undefined for a program, which gets a problem. */
type ErrorPageReader = (error: AppError, request: FastifyRequest) => ErrorPage | undefined;

const FASTIFY_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'tipo_no_soportado',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'http_invalido',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'json_invalido',
  FST_ERR_CTP_INVALID_JSON_BODY: 'json_invalido',
  FST_ERR_BAD_URL: 'no_encontrado',
  FST_ERR_MAX_PARAM_LENGTH: 'no_encontrado',
};

const HTTP_STATUS_CODES: Record<number, ErrorCode> = {
  // Only from @fastify/static: a path that names no file, with `..`, `//` or NUL.
  403: 'no_encontrado',
  404: 'no_encontrado',
  415: 'tipo_no_soportado',
  503: 'no_disponible',
};

export function headersOf({ codigo, headers }: AppError): Record<string, string> {
  const { retryAfterS }: ErrorDefinition = ERRORS[codigo];
  return { ...(retryAfterS !== undefined && { 'Retry-After': String(retryAfterS) }), ...headers };
}

export function toProblem(error: AppError, requestId: string): Record<string, unknown> {
  return {
    ok: false,
    type: 'about:blank',
    title: ERRORS[error.codigo].title,
    status: error.status,
    codigo: error.codigo,
    detail: error.detail,
    instance: requestId,
    ...error.members,
    ...(error.errores && { errores: error.errores }),
  };
}

/** The `detail` of a problem, where its caller is told otherwise than the API's; undefined elsewhere. */
type DetailReader = (error: AppError, request: FastifyRequest) => string | undefined;

/** Turns any error into an HTTP answer (RFC 9457) and, where it is not the caller's fault, a log line. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logger: FastifyBaseLogger,
    private readonly readers: ErrorReader[],
    private readonly pageOf: ErrorPageReader,
    private readonly detailOf: DetailReader,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.send(exception, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  send(exception: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = this.read(exception, request);
    // The answer limit has already sent 503.
    if (reply.sent)
      return this.logger.debug(
        { err: error.cause ?? error, reqId: request.id },
        'request failed after its response was sent',
      );
    const { log }: ErrorDefinition = ERRORS[error.codigo];
    if (log !== undefined) {
      const cause = error.cause !== undefined && { err: error.cause };
      this.logger[log]({ ...cause, reqId: request.id, codigo: error.codigo }, 'request failed');
    }
    request.codigo = error.codigo;
    void reply.status(error.status).headers(headersOf(error));
    const page = this.pageOf(error, request);
    if (page) return void reply.headers(page.headers).type('text/html; charset=utf-8').send(page.html);
    const detail = this.detailOf(error, request);
    const problem = { ...toProblem(error, request.id), ...(detail !== undefined && { detail }) };
    void reply.type('application/problem+json').serializer(JSON.stringify).send(problem);
  }

  private read(exception: unknown, request: FastifyRequest): AppError {
    if (exception instanceof AppError) return exception;
    for (const reader of this.readers) {
      const error = reader(exception, request);
      if (error) return error;
    }
    return readFrameworkError(exception) ?? new AppError('error_interno', { cause: exception });
  }
}

function readFrameworkError(exception: unknown): AppError | undefined {
  if (exception instanceof HttpException) {
    const codigo = HTTP_STATUS_CODES[exception.getStatus()];
    return codigo && new AppError(codigo, { cause: exception });
  }
  const { code = '', statusCode } = (exception ?? {}) as { code?: string; statusCode?: number };
  const codigo = FASTIFY_ERRORS[code] ?? (statusCode === 400 ? 'http_invalido' : undefined);
  return codigo && new AppError(codigo, { cause: exception });
}
