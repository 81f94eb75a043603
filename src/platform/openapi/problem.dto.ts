import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ERRORS, FIELD_ERRORS } from '../errors/error-codes.js';
import { REQUEST_ID_EXAMPLE } from './answer-fields.js';

/** One fault of one field, as sent. */
export class CampoErrorDto {
  @ApiProperty({ description: 'Ruta del campo, como se envió.', example: 'recogida.lat' })
  campo: string;

  @ApiProperty({
    description:
      'Qué falla, para programas. Con `no_encontrado`, `guia_no_modificable` y los `enlace_…`, el mismo código que la respuesta.',
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
export class ProblemaDto {
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

  @ApiPropertyOptional({
    description:
      'Solo con `liquidacion_demasiado_grande`: el último `hasta` con el que cabe, ISO 8601 en UTC.',
    type: String,
    format: 'date-time',
    example: '2026-11-21T15:04:05.123Z',
  })
  hasta?: string;

  @ApiPropertyOptional({
    description:
      'Solo con `mensaje_no_permitido`: por qué. `final`: la guía terminó; `en_ruta`, `en_devolucion`: su estado; `baja`: el destinatario no quiere mensajes; `niega`: dice que no es suyo; `cupo`: ya recibió los del día.',
    enum: ['final', 'en_ruta', 'en_devolucion', 'baja', 'niega', 'cupo'],
    example: 'en_ruta',
  })
  motivo?: string;

  @ApiPropertyOptional({
    description: 'Solo con `lugar_cambiado`: la del lugar guardado ahora.',
    type: String,
    example: 'c2Vs0iWlPQ7m',
  })
  version?: string;

  @ApiPropertyOptional({
    description: 'Solo con `lugar_cambiado`: metros entre el lugar enviado y el guardado.',
    type: 'integer',
    example: 2041,
  })
  distancia_m?: number;

  @ApiPropertyOptional({ description: 'Todos los campos que fallan.', type: () => [CampoErrorDto] })
  errores?: CampoErrorDto[];
}
