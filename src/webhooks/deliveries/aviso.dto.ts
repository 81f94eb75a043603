import { LiquidacionDto } from '../../cobros/dto/liquidacion.dto.js';
import { ADVERTENCIA_CODES, type GuiaAdvertencia } from '../../guias/guia/guia-advertencia.js';
import { GuiaDetalleDto } from '../../guias/dto/guia.dto.js';
import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import { MAX } from '../../guias/guia/limits.js';
import { PAGO_CODES, PAGOS, type Pago } from '../../guias/guia/pago.js';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { GuiaDeOperacionesDto } from '../../operations/guias/guia-de-operaciones.dto.js';
import {
  GUIA_WEBHOOK_EVENTO_NAMES,
  OPERATOR_EVENTO_NAMES,
  PAGADA,
  PRUEBA,
  type GuiaWebhookEvento,
} from '../endpoints/webhook-evento.js';
import { ApiId, ApiTime, meaningsOf } from '../../platform/openapi/answer-fields.js';
import { ApiGuiaEstado } from '../../guias/dto/estado-field.js';

// These classes document the messages; `payload.ts` writes them.

export class AvisoDatosDto {
  @ApiProperty({
    description:
      'Orden entre los eventos de la guía: sube siempre, y puede saltarse números. `guia.advertencia` lleva el del evento con el que apareció.',
    type: 'integer',
    minimum: 1,
    example: 4,
  })
  secuencia: number;

  @ApiGuiaEstado('Estado de la guía después del evento.', { example: 'intento_fallido' })
  estado: GuiaEstado;

  @ApiGuiaEstado('Estado que dejó; null si el evento no la movió.', { nullable: true, example: 'en_ruta' })
  estado_anterior: GuiaEstado | null;

  @ApiTime('Cuándo pasó, ISO 8601 en UTC.')
  ocurrido_en: string;

  @ApiPropertyOptional({
    description:
      'Por qué: de un `intento_fallido` los motivos de `POST /api/v1/operaciones/guias/{id}/eventos`; de `guia.mensaje_fallido` el código del proveedor.',
    example: 'ausente',
  })
  motivo?: string;

  @ApiPropertyOptional({
    description: 'En `guia.advertencia`: la advertencia que apareció.',
    enum: ADVERTENCIA_CODES,
    example: 'entrega_lejos',
  })
  codigo?: GuiaAdvertencia;

  @ApiPropertyOptional({
    description: 'Nota de quien lo registró.',
    maxLength: MAX.nota,
    example: 'Volver el lunes',
  })
  nota?: string;

  @ApiPropertyOptional({ description: 'Lo que se cobró al entregar.', minimum: 0, example: 349.5 })
  cod_cobrado?: number;

  @ApiPropertyOptional({
    description: `Cómo se pagó, en una entrega con monto por cobrar. ${meaningsOf(PAGOS)}.`,
    enum: PAGO_CODES,
    enumName: 'Pago',
    example: 'efectivo',
  })
  pago?: Pago;

  @ApiPropertyOptional({
    description: 'Quién recibió, en una entrega.',
    maxLength: MAX.recibio,
    example: 'Rosa Pérez, vecina',
  })
  recibio?: string;

  @ApiPropertyOptional({
    description: 'Metros entre el lugar de la entrega y el destino.',
    type: 'integer',
    minimum: 0,
    example: 42,
  })
  distancia_m?: number;

  @ApiPropertyOptional({
    description:
      'Campos de `guia` que van en null porque el aviso pasaría de 20,000 bytes; léalos de la API. Casi nunca está.',
    type: [String],
    example: ['guia.recogida.maps_url'],
  })
  recortado?: string[];

  @ApiProperty({
    description:
      'La guía como la muestra `GET /api/v1/guias/{id}` al armar el aviso, con el estado del evento.',
    type: () => GuiaDetalleDto,
  })
  guia: GuiaDetalleDto;
}

/** The body of a message about a guide. */
export class AvisoDto {
  @ApiProperty({ description: 'Qué pasó.', enum: GUIA_WEBHOOK_EVENTO_NAMES, example: 'guia.estado_cambiado' })
  type: GuiaWebhookEvento;

  @ApiTime('Cuándo se registró, ISO 8601 en UTC.')
  timestamp: string;

  @ApiProperty({ description: 'El evento y la guía.', type: () => AvisoDatosDto })
  data: AvisoDatosDto;
}

export class AvisoDeOperacionesDatosDto extends OmitType(AvisoDatosDto, [
  'guia',
  'codigo',
  'cod_cobrado',
  'pago',
  'recibio',
  'distancia_m',
]) {
  @ApiPropertyOptional({
    description: 'En `guia.actualizada`: los campos que cambiaron.',
    type: [String],
    example: ['telefono'],
  })
  campos?: string[];

  @ApiProperty({
    description:
      'La guía como la muestra `GET /api/v1/operaciones/guias/{id}` al armar el aviso, con el estado del evento.',
    type: () => GuiaDeOperacionesDto,
  })
  guia: GuiaDeOperacionesDto;
}

export class AvisoDeOperacionesDto {
  @ApiProperty({ description: 'Qué pasó.', enum: OPERATOR_EVENTO_NAMES, example: 'guia.actualizada' })
  type: (typeof OPERATOR_EVENTO_NAMES)[number];

  @ApiTime('Cuándo se registró, ISO 8601 en UTC.')
  timestamp: string;

  @ApiProperty({ description: 'El evento y la guía.', type: () => AvisoDeOperacionesDatosDto })
  data: AvisoDeOperacionesDatosDto;
}

export class AvisoDeLiquidacionDatosDto {
  @ApiProperty({ description: 'La liquidación, como la muestra `GET /api/v1/liquidaciones/{id}`.' })
  liquidacion: LiquidacionDto;
}

export class AvisoDeLiquidacionDto {
  @ApiProperty({ description: 'Siempre `liquidacion.pagada`.', enum: [PAGADA], example: PAGADA })
  type: typeof PAGADA;

  @ApiTime('Cuándo se registró, ISO 8601 en UTC.')
  timestamp: string;

  @ApiProperty({ description: 'La liquidación.', type: () => AvisoDeLiquidacionDatosDto })
  data: AvisoDeLiquidacionDatosDto;
}

export class PruebaDatosDto {
  @ApiId('`id` del webhook que se prueba.', 'webhook')
  webhook: string;

  @ApiProperty({ description: 'Texto para personas.', example: 'Prueba de Guías.' })
  mensaje: string;
}

export class AvisoDePruebaDto {
  @ApiProperty({ description: 'Siempre `webhook.prueba`.', enum: [PRUEBA], example: PRUEBA })
  type: typeof PRUEBA;

  @ApiTime('Cuándo se pidió, ISO 8601 en UTC.')
  timestamp: string;

  @ApiProperty({ description: 'La prueba.', type: () => PruebaDatosDto })
  data: PruebaDatosDto;
}
