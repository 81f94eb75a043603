import { MAX } from '../../guias/guia/limits.js';
import { MAX_NOTA } from '../../confirmations/dto/confirmar.dto.js';
import type { Pair } from './pairs.js';

/** The fields that a person fills in. */
export type Field = 'maps_url' | 'lat' | 'lng' | 'referencia' | 'nota' | 'texto';

const writtenFaults = (max: number): Record<string, Pair> => ({
  formato: [
    'Lo que escribiste tiene caracteres que no podemos guardar. Escríbelo de nuevo.',
    'What you wrote has characters that we cannot save. Type it again.',
  ],
  demasiado_largo: [
    `Lo que escribiste es demasiado largo: caben ${max} letras.`,
    `What you wrote is too long: up to ${max} letters fit.`,
  ],
});

/** Advice by field and code: the texts of the error registry are for programmers. */
export const FAULTS: Record<Field, Record<string, Pair>> = {
  maps_url: {
    requerido: [
      'Dinos dónde entregar: pega un enlace de mapa o escribe las coordenadas.',
      'Tell us where to deliver: paste a map link or type the coordinates.',
    ],
    formato: [
      'Eso no es un enlace de mapa. Pega el enlace completo, que empieza con https://, o coordenadas como 14.6407, -90.5133.',
      'That is no map link. Paste the whole link, which begins with https://, or coordinates like 14.6407, -90.5133.',
    ],
    demasiado_largo: [
      'El enlace es demasiado largo. Copia de nuevo solo el enlace del mapa.',
      'The link is too long. Copy the map’s link alone.',
    ],
    sin_zona: [
      'A ese código le falta su zona: cuatro letras o cifras que van antes, como en 765CWVRM+9F. Escríbelo completo, o comparte el pin desde tu app de mapas.',
      'That code lacks its area: four letters or digits that stand before it, as in 765CWVRM+9F. Type all of it, or share the pin from your map app.',
    ],
    enlace_sin_coordenadas: [
      'Ese enlace no dice el punto exacto. En tu app de mapas mantén presionado el punto, toca «Compartir» y pega ese enlace.',
      'That link does not name the exact place. In your map app, press and hold the place, tap “Share” and paste that link.',
    ],
    enlace_no_soportado: [
      'Ese enlace no lleva a un lugar de un mapa que conozcamos. Comparte de nuevo el pin desde Google Maps, Waze o Apple Maps.',
      'That link does not lead to a place of a map that we know. Share the pin again from Google Maps, Waze or Apple Maps.',
    ],
    enlace_roto: [
      'Ese enlace ya no funciona. Copia uno nuevo desde tu app de mapas.',
      'That link does not work any more. Copy a new one from your map app.',
    ],
    no_disponible: [
      'El mapa no responde ahora. Inténtalo de nuevo en un minuto, o usa tu ubicación.',
      'The map does not answer now. Try again in a minute, or use your location.',
    ],
  },
  lat: {
    tipo: ['La latitud debe ser un número, como 14.6407.', 'The latitude must be a number, like 14.6407.'],
    fuera_de_rango: [
      'Revisa la latitud: va de -90 a 90, y 0, 0 está en el mar.',
      'Check the latitude: it goes from -90 to 90, and 0, 0 is in the sea.',
    ],
    incompleto: [
      'Falta la latitud: escribe las dos, latitud y longitud.',
      'The latitude is missing: type both, latitude and longitude.',
    ],
  },
  lng: {
    tipo: [
      'La longitud debe ser un número, como -90.5133.',
      'The longitude must be a number, like -90.5133.',
    ],
    fuera_de_rango: [
      'Revisa la longitud: va de -180 a 180.',
      'Check the longitude: it goes from -180 to 180.',
    ],
    incompleto: [
      'Falta la longitud: escribe las dos, latitud y longitud.',
      'The longitude is missing: type both, latitude and longitude.',
    ],
  },
  nota: writtenFaults(MAX_NOTA),
  referencia: writtenFaults(MAX.referencia),
  texto: writtenFaults(MAX_NOTA),
};
