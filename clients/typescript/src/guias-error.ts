import type { components } from './api.js';

type Problema = components['schemas']['ProblemaDto'];

/**
 * What happened, for programs; `desconocido` where the answer is not the service's, but for example a proxy's, and
 * `sin_respuesta` where there is none.
 */
export type Codigo = Problema['codigo'] | 'desconocido' | 'sin_respuesta';

/** A fault of one field. */
export type CampoError = components['schemas']['CampoErrorDto'];

/** An error answer, or none. `message` says in Spanish what to do next. */
export class GuiasError extends Error {
  /** HTTP status; 0 where nothing answered. */
  declare readonly status: number;
  declare readonly codigo: Codigo;
  /** The faulty fields, each with its path. */
  declare readonly errores: readonly CampoError[];
  /** The request's id: give it to support. */
  declare readonly solicitud: string | null;

  /** @param problem the parsed body; anything at all. */
  constructor({ status, headers }: Response, problem: unknown, options?: ErrorOptions) {
    const { codigo, detail, errores } = Object(problem) as Partial<Omit<Problema, 'codigo'>> & {
      codigo?: Codigo;
    };
    super(detail ?? `HTTP ${status}`, options);
    this.name = 'GuiasError';
    this.status = status;
    this.codigo = codigo ?? 'desconocido';
    this.errores = errores ?? [];
    this.solicitud = headers.get('x-request-id');
  }
}

/** @param cause what `fetch` was rejected with. */
export const unanswered = (cause: unknown): GuiasError =>
  new GuiasError(
    Response.error(),
    {
      codigo: 'sin_respuesta',
      detail: 'El servicio no responde. Revise `url` y la red, y vuelva a intentar.',
    },
    { cause },
  );
