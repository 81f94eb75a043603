import type { components } from './api.js';

type Problema = components['schemas']['ProblemaDto'];

/** What happened, for programs; `desconocido` where the answer is not the service's, but for example a proxy's. */
export type Codigo = Problema['codigo'] | 'desconocido';

/** A fault of one field. */
export type CampoError = components['schemas']['CampoErrorDto'];

/** An error answer. `message` says in Spanish what to do next. */
export class GuiasError extends Error {
  /** HTTP status. */
  declare readonly status: number;
  declare readonly codigo: Codigo;
  /** The faulty fields, each with its path. */
  declare readonly errores: readonly CampoError[];
  /** The request's id: give it to support. */
  declare readonly solicitud: string | null;

  /** @param problem the parsed body; anything at all. */
  constructor({ status, headers }: Response, problem: unknown) {
    const { codigo, detail, errores } = Object(problem) as Partial<Problema>;
    super(detail ?? `HTTP ${status}`);
    this.name = 'GuiasError';
    this.status = status;
    this.codigo = codigo ?? 'desconocido';
    this.errores = errores ?? [];
    this.solicitud = headers.get('x-request-id');
  }
}
