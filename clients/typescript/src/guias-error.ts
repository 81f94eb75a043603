import type { components } from './api.js';

type Problema = components['schemas']['ProblemaDto'];

/**
 * What happened, for programs. Beside the service's codes: `desconocido` where the answer is not the service's, but for
 * example a proxy's; `redireccion` where it leads elsewhere, which is not followed; `sin_respuesta` where there is none, or
 * only a part.
 */
export type Codigo = Problema['codigo'] | 'desconocido' | 'redireccion' | 'sin_respuesta';

/** A fault of one field. */
export type CampoError = components['schemas']['CampoErrorDto'];

/** An error answer, or none. `message` says in Spanish what to do next, and of faulty fields what is wrong with the first. */
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
    const { codigo, detail, errores } = Object(problem) as Record<string, unknown>;
    const fields = Array.isArray(errores) ? (errores as CampoError[]) : [];
    const [first] = fields;
    const text = typeof detail === 'string' ? detail : `HTTP ${status}`;
    super(first ? `${text} ${first.campo}: ${first.mensaje}` : text, options);
    this.name = 'GuiasError';
    this.status = status;
    this.codigo = typeof codigo === 'string' ? (codigo as Codigo) : 'desconocido';
    this.errores = fields;
    this.solicitud = headers.get('x-request-id');
  }
}

/** @param cause what `fetch`, or reading its answer, was rejected with. */
export const unanswered = (cause: unknown): GuiasError =>
  new GuiasError(
    Response.error(),
    {
      codigo: 'sin_respuesta',
      detail: 'El servicio no responde, o su respuesta se cortó. Revise `url` y la red, y vuelva a intentar.',
    },
    { cause },
  );

/** @param response of which the body is not what the service answers. */
export const notOurs = (response: Response): GuiasError =>
  new GuiasError(response, {
    codigo: 'desconocido',
    detail: 'La respuesta no es del servicio. Revise `url`, y qué hay entre su programa y el servicio.',
  });

/** @param url where the answer leads. */
export const redirected = (response: Response, url: string): GuiasError =>
  new GuiasError(response, {
    codigo: 'redireccion',
    detail: `La solicitud se redirige a ${url}. Ponga en \`url\` la dirección que no redirige.`,
  });
