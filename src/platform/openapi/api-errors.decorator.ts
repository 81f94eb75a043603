import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { AppError } from '../errors/app-error.js';
import { ERRORS, type ErrorCode, type ErrorDefinition } from '../errors/error-codes.js';
import { toProblem } from '../errors/problem.filter.js';
import { REQUEST_ID_EXAMPLE } from './answer-fields.js';
import { withoutMarkup } from './route-notes.js';
import { ProblemaDto } from './problem.dto.js';

const HEADERS: Partial<
  Record<number, Record<string, { description: string; schema: { type: 'string' | 'integer' } }>>
> = {
  401: { 'WWW-Authenticate': { description: 'Siempre `Bearer`.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Segundos que conviene esperar.', schema: { type: 'integer' } } },
  503: { 'Retry-After': { description: 'Segundos que conviene esperar.', schema: { type: 'integer' } } },
};

const linkError = (codigo: ErrorCode, campo: string) =>
  new AppError(codigo, { errores: [{ campo, codigo, mensaje: ERRORS[codigo].detail }] });

/** Errors that name fields, by their codes. */
const FIELD_EXAMPLES = new Map(
  [
    AppError.validation([
      { campo: 'telefono', codigo: 'requerido', mensaje: 'Es obligatorio.' },
      { campo: 'recogida.lat', codigo: 'fuera_de_rango', mensaje: 'Debe estar entre -90 y 90.' },
    ]),
    new AppError('guia_no_modificable', {
      detail: 'La guía está en `recogido`, y en ese estado no se cambia `cod_amount`.',
      errores: [
        {
          campo: 'cod_amount',
          codigo: 'guia_no_modificable',
          mensaje: 'Solo se cambia en: aceptado, en_camino_a_recoger.',
        },
      ],
    }),
    linkError('enlace_sin_coordenadas', 'recogida.maps_url'),
    linkError('enlace_no_soportado', 'maps_url'),
    linkError('enlace_roto', 'maps_url'),
  ].map((error) => [error.codigo, error]),
);

export function exampleOf(code: ErrorCode) {
  const error = FIELD_EXAMPLES.get(code) ?? new AppError(code);
  return { summary: withoutMarkup(ERRORS[code].when), value: toProblem(error, REQUEST_ID_EXAMPLE) };
}

const READ_ERRORS: ErrorCode[] = [
  ...(['validacion', 'json_invalido', 'http_invalido', 'no_autenticado', 'sin_permiso'] as const),
  ...(['demasiadas_solicitudes', 'error_interno', 'no_disponible'] as const),
];
const BODY_ERRORS: ErrorCode[] = ['cuerpo_demasiado_grande', 'tipo_no_soportado'];

/** Documents the errors of a route that takes a key and no body: those that all have, and `codes`. */
export function ApiReadErrors(...codes: ErrorCode[]): MethodDecorator {
  return errorResponses([...READ_ERRORS, ...codes]);
}

/** Like `ApiReadErrors` for a route that reads a body. */
export function ApiWriteErrors(...codes: ErrorCode[]): MethodDecorator {
  return errorResponses([...READ_ERRORS, ...BODY_ERRORS, ...codes]);
}

/** From the registry: one response per status, one example per code. */
function errorResponses(codes: ErrorCode[]): MethodDecorator {
  const byStatus = groupByStatus(codes);
  const responses = [...byStatus].map(([status, group]) =>
    ApiResponse({
      status,
      description: group.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
      ...(HEADERS[status] && { headers: HEADERS[status] }),
      content: {
        'application/problem+json': {
          schema: problemWith(group),
          examples: Object.fromEntries(group.map((code) => [code, exampleOf(code)])),
        },
      },
    }),
  );
  return applyDecorators(ApiExtraModels(ProblemaDto), ...responses);
}

function problemWith(codes: ErrorCode[]) {
  return {
    allOf: [
      { $ref: getSchemaPath(ProblemaDto) },
      { type: 'object' as const, properties: { codigo: { type: 'string' as const, enum: codes } } },
    ],
  };
}

function groupByStatus(codes: ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status }: ErrorDefinition = ERRORS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}
