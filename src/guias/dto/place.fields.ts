import { applyDecorators } from '@nestjs/common';
import { readMapLinkIn } from '../../locations/map-link.js';
import { check, NumberField, TextField, type FieldOptions } from '../../platform/validation/fields.js';
import { MAX } from '../guia/limits.js';
import { NO_POINT } from '../guia/link-errors.js';

/** The fields of a place, the same in every request. */

/** Degrees. */
const MAX_LAT = 90;
const MAX_LNG = 180;

const notNullIsland = check(
  'fuera_de_rango',
  (lat, point) => !(lat === 0 && point.lng === 0),
  'El punto 0,0 está en el mar: parece un valor vacío. Envíe las coordenadas reales.',
);

/** Says more than the range, so it comes before it. */
const notSwapped = check(
  'fuera_de_rango',
  (lat, { lng }) =>
    !(typeof lat === 'number' && typeof lng === 'number') ||
    Math.abs(lat) <= MAX_LAT ||
    Math.abs(lat) > MAX_LNG ||
    Math.abs(lng) > MAX_LAT,
  `Debe estar entre -${MAX_LAT} y ${MAX_LAT}. ¿Están \`lat\` y \`lng\` al revés?`,
);

/** Requires both coordinates, both null, or none; the fault is reported on the one that is missing or null. */
const pairedWith = (other: string) =>
  check(
    'incompleto',
    (value, point) =>
      value === undefined ? point[other] === undefined : value !== null || typeof point[other] !== 'number',
    `Envíe \`lat\` y \`lng\` juntas, o ninguna.`,
    true,
  );

const readableLink = check(
  'formato',
  (text: string) => readMapLinkIn(text).kind !== 'unreadable',
  'Pegue un enlace completo de un mapa (https://…), o latitud (de -90 a 90) y longitud (de -180 a 180), como `14.6407, -90.5133`. El punto 0,0 no se acepta.',
);

const hasArea = check(
  'formato',
  (text: string) => {
    const link = readMapLinkIn(text);
    return link.kind !== 'unreadable' || link.reason !== 'short_code';
  },
  NO_POINT.short_code,
);

const MAPS_URL =
  'Enlace de un servicio de mapas (Google Maps, Waze, Apple Maps), también corto, o coordenadas `14.6407, -90.5133`.';

interface CoordinateOptions extends Pick<FieldOptions, 'clearable'> {
  description: string;
  example: number;
}

/** Degrees, −90 to 90; only together with `lng`. */
export function LatField({
  mayBeNone = false,
  ...options
}: CoordinateOptions & { /** Whether the point 0,0 is taken. */ mayBeNone?: boolean }): PropertyDecorator {
  const rules = mayBeNone ? [pairedWith('lng')] : [notNullIsland, pairedWith('lng')];
  return applyDecorators(notSwapped, NumberField({ ...options, min: -MAX_LAT, max: MAX_LAT }, ...rules));
}

/** Degrees, −180 to 180; only together with `lat`. */
export function LngField(options: CoordinateOptions): PropertyDecorator {
  return NumberField({ ...options, min: -MAX_LNG, max: MAX_LNG }, pairedWith('lat'));
}

/** A map link or coordinates, as people paste them. */
export function MapsUrlField({
  description,
  clearable,
}: Omit<CoordinateOptions, 'example'>): PropertyDecorator {
  return TextField(
    {
      max: MAX.maps_url,
      multiline: true,
      isExact: true,
      clearable,
      description: `${MAPS_URL} ${description}`,
    },
    hasArea,
    readableLink,
  );
}
