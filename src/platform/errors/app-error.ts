import { ERRORS, type ErrorCode, type FieldErrorCode } from './error-codes.js';

export interface FieldError {
  /** Path as the caller wrote it, like `recogida.lat`. */
  campo: string;
  codigo: FieldErrorCode | ErrorCode;
  /** Spanish, for a person: what the value must be. */
  mensaje: string;
}

/** Maximum number of faults in a response: more than any DTO has fields, but few enough to keep it small. */
export const MAX_FAULTS = 50;

/** Members of a problem that some codes alone have; `ProblemaDto` documents them. */
export interface ProblemMembers {
  /** `liquidacion_demasiado_grande`: the latest `hasta` that fits, ISO 8601. */
  hasta?: string;
  /** `mensaje_no_permitido`: why the recipient is not asked again. */
  motivo?: string;
  /** `lugar_cambiado`: of the place that is saved now. */
  version?: string;
  /** `lugar_cambiado`: metres from the place that was sent to the saved one; absent where one of them has no coordinates. */
  distancia_m?: number;
}

interface AppErrorOptions {
  /** Spanish, for a person; the registry's text when absent. */
  detail?: string;
  errores?: FieldError[];
  /** For programs, beside the standard members of the problem (RFC 9457). */
  members?: ProblemMembers;
  /** Response headers, like `Retry-After` or `Allow`. */
  headers?: Record<string, string>;
  /** The underlying error: logged, never sent. */
  cause?: unknown;
}

/** An error answer, by its code in the registry. Services throw it; only the filter knows HTTP. */
export class AppError extends Error {
  readonly status: number;
  readonly detail: string;
  readonly errores: FieldError[] | undefined;
  readonly members: ProblemMembers | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    readonly codigo: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(codigo, { cause: options.cause });
    const { status, detail } = ERRORS[codigo];
    this.status = status;
    this.detail = options.detail ?? detail;
    this.errores = options.errores;
    this.members = options.members;
    this.headers = options.headers;
  }

  /** `validacion` with the first invalid fields, and the number of all. */
  static validation(errores: FieldError[]): AppError {
    const count = errores.length === 1 ? '1 campo no es válido' : `${errores.length} campos no son válidos`;
    const rest = errores.length > MAX_FAULTS ? `; \`errores\` nombra los primeros ${MAX_FAULTS}` : '';
    return new AppError('validacion', { detail: `${count}${rest}.`, errores: errores.slice(0, MAX_FAULTS) });
  }
}
