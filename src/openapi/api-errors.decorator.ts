import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { AppError } from '../errors/app-error.js';
import { ERRORS, FIELD_ERRORS, type ErrorCode, type ErrorDefinition } from '../errors/error-codes.js';
import { toProblem } from '../errors/problem.filter.js';
import { REQUEST_ID_EXAMPLE } from './answer-fields.js';

/** One fault of one field, as sent. */
export class CampoErrorDto {
  @ApiProperty({ description: 'Ruta del campo, como se envió.', example: 'recogida.lat' })
  campo: string;

  @ApiProperty({
    description: 'Qué falla, para programas. Con 404, 409 y 422, el mismo código que la respuesta.',
    example: 'fuera_de_rango',
    enum: [
      ...Object.keys(FIELD_ERRORS),
      ...['no_encontrado', 'guia_no_modificable'],
      ...['enlace_sin_coordenadas', 'enlace_no_soportado', 'enlace_roto'],
    ],
  })
  codigo: string;

  @ApiProperty({
    description: 'Qué debe cumplir el valor, para personas.',
    example: 'Debe estar entre -90 y 90.',
  })
  mensaje: string;
}

/** An error as sent: RFC 9457, `application/problem+json`. */
class ProblemaDto {
  @ApiProperty({ description: 'Siempre `false`.', enum: [false], type: Boolean, example: false })
  ok: false;

  @ApiProperty({
    description: 'Siempre `about:blank`: el significado está en `codigo`.',
    example: 'about:blank',
  })
  type: string;

  @ApiProperty({ description: 'Resumen, para personas.', example: 'Solicitud inválida' })
  title: string;

  @ApiProperty({ description: 'El estado HTTP.', example: 400, type: 'integer' })
  status: number;

  @ApiProperty({
    description: 'Qué pasó, para programas: estable entre versiones.',
    example: 'validacion',
    enum: Object.keys(ERRORS),
  })
  codigo: string;

  @ApiProperty({ description: 'Qué hacer ahora, para personas.', example: '1 campo no es válido.' })
  detail: string;

  @ApiProperty({
    description: 'Identificador de la solicitud, el mismo de `X-Request-Id`: déselo a soporte.',
    example: REQUEST_ID_EXAMPLE,
  })
  instance: string;

  @ApiPropertyOptional({ description: 'Todos los campos que fallan.', type: () => [CampoErrorDto] })
  errores?: CampoErrorDto[];
}

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
    linkError('enlace_sin_coordenadas', 'recogida.maps_url'),
    linkError('enlace_no_soportado', 'maps_url'),
    linkError('enlace_roto', 'maps_url'),
  ].map((error) => [error.codigo, error]),
);

function exampleOf(code: ErrorCode) {
  const error = FIELD_EXAMPLES.get(code) ?? new AppError(code);
  return { summary: ERRORS[code].when, value: toProblem(error, REQUEST_ID_EXAMPLE) };
}

const READ_ERRORS: ErrorCode[] = [
  ...(['validacion', 'json_invalido', 'no_autenticado', 'sin_permiso'] as const),
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
