import { ApiGuiaNumero, ApiId } from '../../platform/openapi/answer-fields.js';
import { OkDto } from '../../platform/openapi/answer.dto.js';
import { readMapLinkIn } from '../../locations/map-link.js';
import type { Coordinates } from '../../locations/reading.js';
import { ApiProperty } from '@nestjs/swagger';
import { RefusedFields } from '../../platform/validation/dto-fields.js';
import { check, ObjectField, PhoneField, TextField } from '../../platform/validation/fields.js';
import { readPersonName } from '../../platform/validation/placeholder.js';
import { normalizeName } from '../../platform/validation/text.js';
import type { GuiaEstado } from '../guia/guia-estado.js';
import { setTexts, TEXTS, withTexts, type GuiaText, type Texto } from '../guia/guia-fields.js';
import type { NewGuia } from '../guia/guia-row.js';
import { AmountField } from './amount.field.js';
import { MAX } from '../guia/limits.js';
import { linkError, NO_POINT, refusedLinks, type LinkError } from '../guia/link-errors.js';
import { LatField, LngField, MapsUrlField } from './place.fields.js';
import { ApiGuiaEstado } from './estado-field.js';

export class RecogidaDto {
  @LatField({ description: 'Latitud, en grados. Siempre junto con `lng`.', example: 14.6349 })
  lat?: number;

  @LngField({ description: 'Longitud, en grados. Siempre junto con `lat`.', example: -90.5069 })
  lng?: number;

  @MapsUrlField({ description: 'Alternativa a `lat` y `lng`; debe contener coordenadas.' })
  maps_url?: string;

  @TextField({ max: MAX.nombre, description: 'Nombre del punto de recogida.', example: 'Bodega central' })
  nombre?: string;

  @TextField({
    max: MAX.direccion,
    multiline: true,
    description: 'Dirección del punto de recogida.',
    example: '7a avenida 12-30, zona 4',
  })
  direccion?: string;
}

const SET = 'Lo pone el servicio: quítelo.';
const NUMBERED = 'Lo pone el servicio; su propia referencia va en `external_ref`.';

/** Fields of our answers that no request may have, with the advice to a caller who sends one. */
export const SET_BY_SERVICE = {
  ...{ id: SET, guia: SET, estado: SET, creada_en: SET, actualizada_en: SET },
  ...{ direccion_confirmada: SET, advertencias: SET, version: SET },
};

const hasPlace = check(
  'requerido',
  ({ lat, lng, maps_url }: RecogidaDto) => lat !== undefined || lng !== undefined || maps_url !== undefined,
  'Indique `lat` y `lng`, o `maps_url`.',
);

/** To whom a guide goes, and from where. */
class DestinatarioDto {
  @PhoneField({
    required: true,
    description:
      'Teléfono del destinatario, en E.164 (`+50255551234`) o en el formato local del país del comercio. Se guarda en E.164.',
    example: '5555 1234',
  })
  telefono: string;

  @TextField({
    required: true,
    max: MAX.nombre,
    read: normalizeName,
    description: 'Departamento de destino.',
    example: 'Guatemala',
  })
  departamento: string;

  @TextField({
    required: true,
    max: MAX.nombre,
    read: normalizeName,
    description: 'Municipio de destino.',
    example: 'Mixco',
  })
  municipio: string;

  @ObjectField(
    () => RecogidaDto,
    {
      required: true,
      description: 'Punto de recogida: `{lat, lng}` o `{maps_url}`. Si vienen ambos, valen `lat` y `lng`.',
    },
    hasPlace,
  )
  recogida: RecogidaDto;

  @TextField({
    max: MAX.nombre,
    read: readPersonName,
    description: 'Nombre del destinatario.',
    example: 'Ana López',
  })
  nombre?: string;

  @TextField({
    max: MAX.direccion,
    multiline: true,
    description: 'Dirección de destino.',
    example: '4a calle 5-10, zona 1',
  })
  direccion?: string;
}

const sentText = ({ max, isLong, description, example }: GuiaText) =>
  TextField({ max, multiline: isLong, description: `${description}.`, example });

@RefusedFields({ ...SET_BY_SERVICE, id: NUMBERED, guia: NUMBERED })
export class CrearGuiaDto extends withTexts<DestinatarioDto, Partial<Record<Texto, string>>>(
  DestinatarioDto,
  sentText,
) {
  @AmountField({
    default: 0,
    description: 'Monto por cobrar al entregar, en la moneda del comercio; hasta 2 decimales.',
    example: 349.5,
  })
  cod_amount?: number;

  @TextField({
    max: MAX.external_ref,
    isExact: true,
    description:
      'Referencia del comercio: hace segura la repetición. Una segunda solicitud con el mismo valor no crea otra guía, sino que devuelve la existente, sin límite de tiempo.',
    example: 'pedido-1042',
  })
  external_ref?: string;

  @LatField({
    description: 'Latitud de destino, junto con `lng`. Confirma la dirección de inmediato.',
    example: 14.6407,
  })
  lat?: number;

  @LngField({ description: 'Longitud de destino, junto con `lat`.', example: -90.5133 })
  lng?: number;

  @MapsUrlField({ description: 'Alternativa a `lat` y `lng` del destino.' })
  maps_url?: string;
}

/** The new guide that a valid request describes. @throws AppError `enlace_…` with each link that cannot be used. */
export function toNewGuia(dto: CrearGuiaDto): NewGuia {
  const recogida = placeOf(dto.recogida, 'recogida.maps_url', true);
  const destino = placeOf(dto, 'maps_url', false);
  const errores = [recogida.error, destino.error].filter((error) => error !== undefined);
  if (errores.length > 0) throw refusedLinks(errores);
  const guia: Omit<NewGuia, Texto> = {
    external_ref: dto.external_ref ?? null,
    destinatario: dto.nombre ?? '',
    telefono: dto.telefono,
    direccion: dto.direccion ?? '',
    departamento: dto.departamento,
    municipio: dto.municipio,
    cod_amount: dto.cod_amount ?? 0,
    direccion_confirmada: dto.lat !== undefined || dto.maps_url !== undefined,
    destino_lat: destino.lat,
    destino_lng: destino.lng,
    destino_maps_url: dto.maps_url ?? null,
    recogida_lat: recogida.lat,
    recogida_lng: recogida.lng,
    recogida_maps_url: dto.recogida.maps_url ?? null,
    recogida_nombre: dto.recogida.nombre ?? null,
    recogida_direccion: dto.recogida.direccion ?? null,
    advertencias: [],
    enlaces_pendientes: [
      ...(recogida.isPending ? ['recogida' as const] : []),
      ...(destino.isPending ? ['destino' as const] : []),
    ],
  };
  return setTexts(guia, (texto) => dto[texto] ?? TEXTS[texto].empty);
}

type Place = { [K in keyof Coordinates]: number | null } & {
  error?: LinkError;
  /** Whether the link is short, so that its service must expand it. */
  isPending?: boolean;
};

const UNKNOWN: Place = { lat: null, lng: null };

/** Coordinates win over a link; a link without coordinates is an error if `isPointRequired`. */
function placeOf(
  given: Partial<Coordinates> & { maps_url?: string },
  campo: string,
  isPointRequired: boolean,
): Place {
  const link = given.maps_url === undefined ? undefined : readMapLinkIn(given.maps_url);
  if (link?.kind === 'unsupported') return { ...UNKNOWN, error: linkError(campo, 'enlace_no_soportado') };
  if (given.lat !== undefined && given.lng !== undefined) return { lat: given.lat, lng: given.lng };
  if (link?.kind === 'coordinates') return { lat: link.lat, lng: link.lng };
  if (link?.kind === 'unknown')
    return { ...UNKNOWN, error: linkError(campo, 'enlace_sin_coordenadas', NO_POINT[link.reason]) };
  if (link?.kind === 'place' && isPointRequired)
    return { ...UNKNOWN, error: linkError(campo, 'enlace_sin_coordenadas') };
  return { ...UNKNOWN, isPending: link?.kind === 'short' };
}

export class GuiaCreadaDto extends OkDto {
  @ApiGuiaNumero()
  guia: string;

  @ApiId('Identificador interno.', 'guia')
  id: string;

  @ApiGuiaEstado('Estado actual; `aceptado` en una guía nueva.', { example: 'aceptado' })
  estado: GuiaEstado;

  @ApiProperty({
    description: 'La referencia enviada; null si no se envió.',
    type: 'string',
    nullable: true,
    example: 'pedido-1042',
  })
  external_ref: string | null;
}

export class GuiaDuplicadaDto extends GuiaCreadaDto {
  @ApiProperty({
    description: 'Siempre `true`: no se creó otra guía.',
    enum: [true],
    type: Boolean,
    example: true,
  })
  duplicada: true;
}

export function toGuiaCreada(
  { guia: numero, id, estado, external_ref }: Omit<GuiaCreadaDto, 'ok'>,
  isDuplicate: boolean,
): GuiaCreadaDto | GuiaDuplicadaDto {
  return { ok: true, guia: numero, id, estado, external_ref, ...(isDuplicate && { duplicada: true }) };
}
