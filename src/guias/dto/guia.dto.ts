import { OkDto } from '../../platform/openapi/answer.dto.js';
import { ApiProperty } from '@nestjs/swagger';
import { isUnknownPlace, similarPlaces } from '../../locations/places/places.js';
import { ADVERTENCIA_MEANINGS, MUNICIPIO_DESCONOCIDO } from '../guia/guia-advertencia.js';
import type { GuiaEstado } from '../guia/guia-estado.js';
import { withTexts, type GuiaText, type StoredTexts } from '../guia/guia-fields.js';
import {
  LISTED,
  LUGARES,
  type GuiaDelComercioRow,
  type GuiaDetalleRow,
  type Lugar,
} from '../guia/guia-row.js';
import { MAX } from '../guia/limits.js';
import { MENSAJE_ESTADO_MEANINGS, type MensajeEstado } from '../guia/mensaje-estado.js';
import { ApiId, ApiTime, ApiTimeOrNull, meaningsOf } from '../../platform/openapi/answer-fields.js';
import type { Pago } from '../guia/pago.js';
import { ApiGuiaEstado } from './estado-field.js';
import { ApiPago } from './pago.field.js';

const text = (maxLength: number) => ({ type: 'string' as const, maxLength });
const textOrNull = (maxLength: number) => ({ type: 'string' as const, nullable: true, maxLength });
const degrees = (limit: number) => ({
  type: 'number' as const,
  nullable: true,
  minimum: -limit,
  maximum: limit,
});

class QuienRecibeDto {
  @ApiProperty({
    description: 'Número de guía: 12 dígitos, el último de control (Luhn).',
    pattern: '^[1-9][0-9]{11}$',
    example: '483920175567',
  })
  guia: string;

  @ApiId('Identificador interno (UUID versión 7).', 'guia')
  id: string;

  @ApiProperty({
    ...textOrNull(MAX.external_ref),
    description: 'Referencia del comercio, tal como la envió.',
    example: 'pedido-1042',
  })
  external_ref: string | null;

  @ApiGuiaEstado('Estado actual.', { example: 'aceptado' })
  estado: GuiaEstado;

  @ApiProperty({
    ...text(MAX.nombre),
    description: 'Nombre del destinatario; vacío si no se indicó.',
    example: 'Ana López',
  })
  destinatario: string;

  @ApiProperty({ description: 'Teléfono del destinatario, en E.164.', example: '+50255551234' })
  telefono: string;

  @ApiProperty({
    ...text(MAX.direccion),
    description: 'Dirección de destino; vacía si no se indicó.',
    example: '4a calle 5-10, zona 1',
  })
  direccion: string;

  @ApiProperty({ ...text(MAX.nombre), description: 'Departamento de destino.', example: 'Guatemala' })
  departamento: string;

  @ApiProperty({ ...text(MAX.nombre), description: 'Municipio de destino.', example: 'Mixco' })
  municipio: string;
}

const shownText = ({ max, empty, description, shown = description, example }: GuiaText) =>
  ApiProperty({ ...(empty === null ? textOrNull(max) : text(max)), description: `${shown}.`, example });

/** A guide in a list. */
export class GuiaDto extends withTexts<QuienRecibeDto, StoredTexts>(QuienRecibeDto, shownText) {
  @ApiProperty({
    description: 'Monto por cobrar al entregar; 0 si nada.',
    minimum: 0,
    maximum: MAX.cod_amount,
    example: 349.5,
  })
  cod_amount: number;

  @ApiProperty({ description: 'Si la dirección de destino está confirmada.', example: true })
  direccion_confirmada: boolean;

  @ApiTime('Creación, ISO 8601 en UTC.')
  creada_en: string;

  @ApiTime('Último cambio, ISO 8601 en UTC.')
  actualizada_en: string;
}

export class DestinoDto {
  @ApiProperty({ ...degrees(90), description: 'Latitud; null si no se conoce.', example: 14.6407 })
  lat: number | null;

  @ApiProperty({ ...degrees(180), description: 'Longitud; null si no se conoce.', example: -90.5133 })
  lng: number | null;

  @ApiProperty({ ...textOrNull(MAX.maps_url), description: 'Enlace de mapa recibido.', example: null })
  maps_url: string | null;
}

export class PuntoDeRecogidaDto extends DestinoDto {
  @ApiProperty({ ...degrees(90), description: 'Latitud; null si no se conoce.', example: 14.6349 })
  declare lat: number | null;

  @ApiProperty({ ...degrees(180), description: 'Longitud; null si no se conoce.', example: -90.5069 })
  declare lng: number | null;

  @ApiProperty({ ...textOrNull(MAX.nombre), description: 'Nombre del punto.', example: 'Bodega central' })
  nombre: string | null;

  @ApiProperty({
    ...textOrNull(MAX.direccion),
    description: 'Dirección del punto.',
    example: '7a avenida 12-30, zona 4',
  })
  direccion: string | null;
}

/** A guide with everything that its merchant may see. */
export class GuiaDetalleDto extends GuiaDto {
  @ApiProperty({
    description: 'Moneda de los montos (ISO 4217): la del comercio.',
    pattern: '^[A-Z]{3}$',
    example: 'GTQ',
  })
  moneda: string;

  @ApiProperty({
    description: 'Lo que se cobró al entregar; null mientras no se sabe.',
    type: 'number',
    nullable: true,
    minimum: 0,
    maximum: MAX.cod_amount,
    example: null,
  })
  cod_cobrado: number | null;

  @ApiPago('Cómo se pagó; null mientras no se entrega, y si no había nada que cobrar.', { example: null })
  pago: Pago | null;

  @ApiProperty({
    description: `Códigos de asuntos por revisar; normalmente ninguno. ${meaningsOf(ADVERTENCIA_MEANINGS)}.`,
    type: [String],
    example: [],
  })
  advertencias: string[];

  @ApiProperty({
    description:
      'Lugares cuyo enlace corto aún se está leyendo; normalmente ninguno. Sus coordenadas llegan solas, o una advertencia.',
    enum: LUGARES,
    isArray: true,
    example: [],
  })
  pendientes: Lugar[];

  @ApiProperty({
    description:
      'Página donde el destinatario confirma su ubicación y sigue el envío; puede enviársela usted. Cambia si cambia el teléfono, y sirve hasta 30 días después del final.',
    format: 'uri',
    example: 'https://guias.example.com/c/AaH-os8Dfz-cRCuObw0aVwJ3mYq0xKf1s9bUeZcGqN4',
  })
  seguimiento: string;

  @ApiProperty({ description: 'Punto de recogida.' })
  recogida: PuntoDeRecogidaDto;

  @ApiProperty({ description: 'Destino; null donde no se conoce.' })
  destino: DestinoDto;
}

export class MunicipioDto {
  @ApiProperty({ description: 'Departamento.', example: 'Guatemala' })
  departamento: string;

  @ApiProperty({ description: 'Municipio.', example: 'Mixco' })
  municipio: string;
}

export class MensajeDto {
  @ApiProperty({
    description: `Estado. ${meaningsOf(MENSAJE_ESTADO_MEANINGS)}.`,
    enum: Object.keys(MENSAJE_ESTADO_MEANINGS),
    example: 'aceptado',
  })
  estado: MensajeEstado;

  @ApiProperty({ description: 'Intentos de envío hasta ahora.', type: 'integer', minimum: 0, example: 1 })
  intentos: number;

  @ApiTimeOrNull('Próximo intento, ISO 8601 en UTC; null si no habrá otro.')
  proximo_intento_en: string | null;

  @ApiProperty({
    ...textOrNull(500),
    description: 'Por qué espera o no se envió; null si no hay nada que decir.',
    example: null,
  })
  causa: string | null;
}

export class GuiaDelComercioDto extends GuiaDetalleDto {
  @ApiProperty({
    description: 'El último mensaje que pide la ubicación al destinatario; null si no se le pidió.',
    type: () => MensajeDto,
    nullable: true,
    example: null,
  })
  mensaje: MensajeDto | null;

  @ApiTimeOrNull(
    'Última impresión de su etiqueta, ISO 8601 en UTC; null si no se ha impreso. No cambia `version`.',
  )
  impresa_en: string | null;

  @ApiProperty({
    description: `Con la advertencia \`${MUNICIPIO_DESCONOCIDO}\`: hasta tres municipios con nombres parecidos. Los demás: \`GET /api/v1/lugares\`.`,
    type: () => [MunicipioDto],
    example: [],
  })
  sugerencias: MunicipioDto[];
}

export class GuiaRespuestaDto extends OkDto {
  @ApiProperty({ description: 'La guía.' })
  guia: GuiaDelComercioDto;
}

/** @param country of the merchant. @param seguimiento link to the recipient's page. */
export function toGuiaRespuesta(
  row: GuiaDelComercioRow,
  country: string,
  seguimiento: string,
): GuiaRespuestaDto {
  const { mensaje, impresa_en } = row;
  const guia = { ...toGuiaDetalle(row), seguimiento, mensaje, impresa_en, sugerencias: [] };
  if (!isUnknownPlace(country, row)) return { ok: true, guia };
  const advertencias = [...guia.advertencias, MUNICIPIO_DESCONOCIDO];
  return { ok: true, guia: { ...guia, advertencias, sugerencias: similarPlaces(country, row) } };
}

/** A guide in responses and webhooks, without the link that only its merchant gets. */
export function toGuiaDetalle(row: GuiaDetalleRow): Omit<GuiaDetalleDto, 'seguimiento'> {
  const listed = Object.fromEntries(LISTED.map((column) => [column, row[column]])) as Pick<
    GuiaDetalleRow,
    (typeof LISTED)[number]
  >;
  return {
    ...listed,
    moneda: row.moneda,
    cod_cobrado: row.cod_cobrado,
    pago: row.pago,
    advertencias: row.advertencias,
    pendientes: row.enlaces_pendientes,
    recogida: {
      lat: row.recogida_lat,
      lng: row.recogida_lng,
      maps_url: row.recogida_maps_url,
      nombre: row.recogida_nombre,
      direccion: row.recogida_direccion,
    },
    destino: { lat: row.destino_lat, lng: row.destino_lng, maps_url: row.destino_maps_url },
  };
}
