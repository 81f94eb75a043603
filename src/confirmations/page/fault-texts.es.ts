import { MAX } from '../../guias/limits.js';
import { MAX_NOTA } from '../dto/confirmar.dto.js';
import type { Field } from './field.js';

/** Advice by field and code: the texts of the error registry are for programmers. */
export const FAULTS: Record<Field, Record<string, string>> = {
  maps_url: {
    requerido: 'Dinos dónde entregar: pega un enlace de mapa o escribe las coordenadas.',
    formato:
      'Eso no es un enlace de mapa. Pega el enlace completo, que empieza con https://, o coordenadas como 14.6407, -90.5133.',
    demasiado_largo: 'El enlace es demasiado largo. Copia de nuevo solo el enlace del mapa.',
    enlace_sin_coordenadas:
      'Ese enlace no dice el punto exacto. En tu app de mapas mantén presionado el punto, toca «Compartir» y pega ese enlace.',
    enlace_no_soportado:
      'Ese enlace no lleva a un lugar de un mapa que conozcamos. Comparte de nuevo el pin desde Google Maps, Waze o Apple Maps.',
    enlace_roto: 'Ese enlace ya no funciona. Copia uno nuevo desde tu app de mapas.',
    no_disponible: 'El mapa no responde ahora. Inténtalo de nuevo en un minuto, o usa tu ubicación.',
  },
  lat: {
    tipo: 'La latitud debe ser un número, como 14.6407.',
    fuera_de_rango: 'Revisa la latitud: va de -90 a 90, y 0, 0 está en el mar.',
    incompleto: 'Falta la latitud: escribe las dos, latitud y longitud.',
  },
  lng: {
    tipo: 'La longitud debe ser un número, como -90.5133.',
    fuera_de_rango: 'Revisa la longitud: va de -180 a 180.',
    incompleto: 'Falta la longitud: escribe las dos, latitud y longitud.',
  },
  nota: {
    formato: 'La nota tiene caracteres que no podemos guardar. Escríbela de nuevo.',
    demasiado_largo: `La nota es demasiado larga: caben ${MAX_NOTA} letras.`,
  },
  referencia: {
    formato: 'La referencia tiene caracteres que no podemos guardar. Escríbela de nuevo.',
    demasiado_largo: `La referencia es demasiado larga: caben ${MAX.referencia} letras.`,
  },
};
