import type { TextRow } from '../../platform/database/text-row.js';
import { ApiId } from '../../platform/openapi/answer-fields.js';
import { OkDto, PaginaDto } from '../../platform/openapi/answer.dto.js';
import { ApiProperty } from '@nestjs/swagger';
import { parseInstant } from '../../platform/validation/instant.js';
import { asSent, check, ChoiceField, field, oneOf, TextField } from '../../platform/validation/fields.js';
import { CursorField, LimitField } from '../../platform/pagination/page.fields.js';
import { QueryField, startsBeforeEnd } from '../../platform/validation/query.fields.js';
import { ENTREGA_ESTADOS, type EntregaEstado, type WebhookEntrega } from './webhook-entrega.entity.js';
import type { WebhookMensaje } from './webhook-mensaje.entity.js';
import { AVISO_EVENTO_NAMES, PRUEBA, type WebhookEvento } from '../endpoints/webhook-evento.js';

const EVENTOS = [...AVISO_EVENTO_NAMES, PRUEBA];

export class IntentoDto {
  @ApiProperty({ description: 'Cuándo empezó, ISO 8601 en UTC.', format: 'date-time' })
  en: string;

  @ApiProperty({ description: 'Milisegundos que tomó.', type: 'integer', example: 84 })
  ms: number;

  @ApiProperty({
    description: 'Estado HTTP de la respuesta; null si no hubo.',
    type: 'integer',
    nullable: true,
    example: 500,
  })
  estado_http: number | null;

  @ApiProperty({
    description:
      'Por qué no hubo respuesta: `ECONNECT` (no se pudo conectar), `ETIMEDOUT` (conectó y no respondió a tiempo), `ECONNRESET`, `EADDRREFUSED` (dirección o puerto que no se permite) …',
    type: 'string',
    nullable: true,
    example: null,
  })
  error: string | null;

  @ApiProperty({
    description: 'Comienzo de la respuesta, hasta 1 KiB.',
    type: 'string',
    nullable: true,
    example: 'oops',
  })
  respuesta: string | null;
}

/** A delivery: a message to one endpoint. */
export class EntregaDto {
  @ApiId('El `webhook-id` del aviso: el mismo en cada intento.', 'entrega')
  id: string;

  @ApiProperty({ description: 'Qué se avisa.', enum: EVENTOS, example: 'guia.estado_cambiado' })
  evento: WebhookEvento | typeof PRUEBA;

  @ApiProperty({
    description: 'Número de guía; null en una prueba y en una liquidación.',
    type: 'string',
    nullable: true,
    example: '483920175567',
  })
  guia: string | null;

  @ApiProperty({
    description: 'Orden entre los eventos de la guía.',
    type: 'integer',
    nullable: true,
    example: 3,
  })
  secuencia: number | null;

  @ApiProperty({
    description:
      '`pendiente`: falta intentarla, o intentarla otra vez. `entregada`: hubo un 2xx. `fallida`: no se intenta más; puede reenviarse.',
    enum: ENTREGA_ESTADOS,
    example: 'pendiente',
  })
  estado: EntregaEstado;

  @ApiProperty({ description: 'Intentos desde que se pidió o reenvió.', type: 'integer', example: 2 })
  intentos: number;

  @ApiProperty({
    description: 'Qué falló y qué hacer.',
    type: 'string',
    nullable: true,
    example: 'El endpoint respondió 500; se esperaba 2xx. Revise su registro.',
  })
  causa: string | null;

  @ApiProperty({ description: 'Creación del aviso, ISO 8601 en UTC.', format: 'date-time' })
  creada_en: string;

  @ApiProperty({
    description: 'Cuándo se intenta otra vez.',
    type: 'string',
    format: 'date-time',
    nullable: true,
  })
  proximo_intento_en: string | null;

  @ApiProperty({
    description: 'El intento más reciente; null si aún no hay.',
    type: () => IntentoDto,
    nullable: true,
  })
  ultimo_intento: IntentoDto | null;
}

export class EntregaDetalleDto extends EntregaDto {
  @ApiProperty({ description: 'Todos los intentos, del primero al último.', type: () => [IntentoDto] })
  historial: IntentoDto[];

  @ApiProperty({ description: 'El cuerpo que se envía.', type: 'object', additionalProperties: true })
  cuerpo: object;
}

export class ListarEntregasDto {
  @QueryField(
    { description: 'Solo entregas en este estado.' },
    { enum: [...ENTREGA_ESTADOS], enumName: 'EntregaEstado' },
    oneOf(ENTREGA_ESTADOS),
  )
  estado?: EntregaEstado;

  @LimitField('Entregas')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export class ListaDeEntregasDto extends PaginaDto {
  @ApiProperty({
    description: 'Las entregas, de la más reciente a la más antigua.',
    type: () => [EntregaDto],
  })
  entregas: EntregaDto[];
}

export class EntregaRespuestaDto extends OkDto {
  @ApiProperty({ description: 'La entrega.' })
  entrega: EntregaDto;
}

export class EntregaDetalleRespuestaDto extends OkDto {
  @ApiProperty({ description: 'La entrega.' })
  entrega: EntregaDetalleDto;
}

const instant = (bound: 'from' | 'until') =>
  check(
    'formato',
    (text) => typeof text === 'string' && parseInstant(text, bound) !== undefined,
    'Use `2026-11-21` o `2026-11-21T15:04:05Z`. La fecha debe existir.',
  );

const alone = check(
  'formato',
  (_, { desde, hasta, estado, cursor }) =>
    [desde, hasta, estado, cursor].every((other) => other === undefined),
  'Envíe `entrega` sola, o un rango con `desde`.',
);

const oneOrRange = check(
  'requerido',
  (desde, { entrega }) => desde !== undefined || entrega !== undefined,
  'Indique `entrega`, o un rango con `desde`.',
  true,
);

export class ReenviarDto {
  @TextField(
    { max: 36, description: 'Una sola: su `id`.', example: '01a1fe09-0d14-7104-84ef-54713d38e9d6' },
    alone,
  )
  entrega?: string;

  @field(
    { description: 'Un rango: avisos creados en este momento o después.', example: '2026-11-21' },
    { type: String },
    asSent,
    oneOrRange,
    instant('from'),
    startsBeforeEnd,
  )
  desde?: string;

  @field(
    { description: 'Hasta este momento; hasta ahora si falta.', example: '2026-11-22' },
    { type: String },
    asSent,
    instant('until'),
  )
  hasta?: string;

  @ChoiceField({
    values: [...ENTREGA_ESTADOS],
    description:
      'Del rango, solo las que están así; con `pendiente`, las que esperan un reintento, que sale ahora. Si falta, todas las que no están pendientes.',
  })
  estado?: EntregaEstado;

  @TextField({
    max: 200,
    isExact: true,
    description: '`siguiente_cursor` de la respuesta anterior, con el mismo rango.',
  })
  cursor?: string;
}

export class ReenvioDto extends OkDto {
  @ApiProperty({
    description: 'Entregas puestas en camino otra vez, con el mismo `webhook-id`.',
    type: 'integer',
    example: 12,
  })
  reenviadas: number;

  @ApiProperty({
    description: 'Si el rango tiene más: repita la solicitud con él como `cursor`.',
    type: 'string',
    nullable: true,
    example: null,
  })
  siguiente_cursor: string | null;
}

/** A delivery as it is queried; times are ISO 8601. */
export interface EntregaRow
  extends
    TextRow<WebhookMensaje, 'id' | 'evento' | 'guia' | 'secuencia' | 'creado_en'>,
    TextRow<WebhookEntrega, 'estado' | 'intentos' | 'causa' | 'proximo_en'> {
  ultimo: IntentoDto | null;
}

export function toEntrega(row: EntregaRow): EntregaDto {
  return {
    id: row.id,
    evento: row.evento,
    guia: row.guia,
    secuencia: row.secuencia,
    estado: row.estado,
    intentos: row.intentos,
    causa: row.causa,
    creada_en: row.creado_en,
    proximo_intento_en: row.estado === 'pendiente' ? row.proximo_en : null,
    ultimo_intento: row.ultimo,
  };
}
