import { ApiProperty } from '@nestjs/swagger';
import { msOfId } from '../../../platform/database/row-id.js';
import { ApiTime, REQUEST_ID_EXAMPLE } from '../../../platform/openapi/answer-fields.js';
import { OkDto } from '../../../platform/openapi/answer.dto.js';
import type { Solicitud } from '../solicitud.entity.js';

/** A request, and its answer. Neither its texts nor its address are kept. */
export class SolicitudDto {
  @ApiProperty({ description: 'Su `X-Request-Id`.', example: REQUEST_ID_EXAMPLE })
  id: string;

  @ApiProperty({ description: 'Método HTTP.', example: 'POST' })
  metodo: string;

  @ApiProperty({
    description: 'Ruta, sin los ids que llevaba; null si no existe.',
    type: String,
    nullable: true,
    example: '/api/v1/guias/{id}/cancelar',
  })
  ruta: string | null;

  @ApiProperty({ description: 'Estado HTTP de la respuesta.', type: 'integer', example: 409 })
  status: number;

  @ApiProperty({
    description: 'Código del error; null si no fue uno.',
    type: String,
    nullable: true,
    example: 'transicion_invalida',
  })
  codigo: string | null;

  @ApiProperty({ description: 'Milisegundos hasta responder.', type: 'integer', minimum: 0, example: 7 })
  ms: number;

  @ApiTime('Cuándo se respondió, ISO 8601 en UTC.')
  en: string;
}

export class SolicitudesRespuestaDto extends OkDto {
  @ApiProperty({ description: 'De la más reciente a la más antigua.', type: () => [SolicitudDto] })
  solicitudes: SolicitudDto[];
}

export function toSolicitud(row: Solicitud): SolicitudDto {
  return {
    id: row.peticion,
    metodo: row.metodo,
    ruta: row.ruta?.replace(/:(\w+)/g, '{$1}') ?? null,
    status: row.estado,
    codigo: row.codigo,
    ms: row.ms,
    en: new Date(msOfId(row.id)).toISOString(),
  };
}
