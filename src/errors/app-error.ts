import type { ErrorCode, FieldErrorCode } from './error-codes.js';

/** One fault of one field of the request. */
export interface FieldError {
  /** Path as the caller wrote it, like `recogida.lat`. */
  campo: string;
  codigo: FieldErrorCode | ErrorCode;
  /** Spanish, for a person: what the value must be. */
  mensaje: string;
}

interface AppErrorOptions {
  /** Spanish, for a person; the registry's text when absent. */
  detail?: string;
  errores?: FieldError[];
  /** Response headers, like `Retry-After` or `Allow`. */
  headers?: Record<string, string>;
  /** The underlying error: logged, never sent. */
  cause?: unknown;
}

/** An error answer, by its code in the registry. Services throw it; only the filter knows HTTP. */
export class AppError extends Error {
  readonly detail: string | undefined;
  readonly errores: FieldError[] | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    readonly codigo: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(codigo, { cause: options.cause });
    this.detail = options.detail;
    this.errores = options.errores;
    this.headers = options.headers;
  }

  /** `validacion` with every invalid field. */
  static validation(errores: FieldError[]): AppError {
    const detail =
      errores.length === 1 ? '1 campo no es válido.' : `${errores.length} campos no son válidos.`;
    return new AppError('validacion', { detail, errores });
  }
}
