import { readMapLinkIn } from '../../locations/map-link.js';
import { check, NumberField, TextField } from '../../validation/fields.js';
import { MAX } from '../limits.js';

/** The fields of a place, the same in every request. */

const notNullIsland = check(
  'fuera_de_rango',
  (lat, point) => !(lat === 0 && point.lng === 0),
  'El punto 0,0 está en el mar: parece un valor vacío. Envíe las coordenadas reales.',
);

/** Requires both coordinates or none; the fault is reported on the missing one. */
const pairedWith = (other: string) =>
  check(
    'incompleto',
    (value, point) => value !== undefined || point[other] === undefined,
    `Envíe \`lat\` y \`lng\` juntas, o ninguna.`,
    true,
  );

const readableLink = check(
  'formato',
  (text: string) => readMapLinkIn(text).kind !== 'unreadable',
  'No es un enlace de mapa, ni coordenadas de la Tierra distintas de 0,0. Pegue el enlace completo (https://…) o `14.6407, -90.5133`.',
);

const MAPS_URL =
  'Enlace de un servicio de mapas (Google Maps, Waze, Apple Maps), también corto, o coordenadas `14.6407, -90.5133`.';

/** Degrees, −90 to 90; only together with `lng`. */
export function LatField(options: { description: string; example: number }): PropertyDecorator {
  return NumberField({ ...options, min: -90, max: 90 }, notNullIsland, pairedWith('lng'));
}

/** Degrees, −180 to 180; only together with `lat`. */
export function LngField(options: { description: string; example: number }): PropertyDecorator {
  return NumberField({ ...options, min: -180, max: 180 }, pairedWith('lat'));
}

/** A map link or coordinates, as people paste them. */
export function MapsUrlField(options: { description: string }): PropertyDecorator {
  return TextField({ max: MAX.maps_url, description: `${MAPS_URL} ${options.description}` }, readableLink);
}
