import { AppError } from '../platform/errors/app-error.js';
import { MAX_CORRECTIONS } from '../guias/changes/confirmable.js';
import type { SavedPlace } from '../guias/changes/guia-confirmations.service.js';
import type { ConfirmedPlace } from '../guias/changes/recipient-answer.js';
import { lengthInWords, metresBetween } from '../locations/distance.js';
import type { ConfirmarDto } from './dto/confirmar.dto.js';
import type { ResolvedLink } from '../locations/short-links/resolve-map-link.js';

/** Why an answer of a recipient is not taken, in words for its sender. */

export const notOpen = () =>
  new AppError('guia_no_modificable', { detail: 'Ya no se puede cambiar aquí dónde entregar.' });

/** The fields of an answer about the place. */
const ABOUT_THE_PLACE = [
  'lat',
  'lng',
  'maps_url',
  'referencia',
  'precision',
  'precision_m',
  'precision_aceptada',
] as const;

/** @throws AppError `validacion` for a note beside anything else, once the driver is on the way. */
export function checkNoteAlone(answer: ConfirmarDto): void {
  const others = ABOUT_THE_PLACE.filter((campo) => answer[campo] !== undefined);
  if (answer.nota === undefined || others.length === 0) return;
  throw AppError.validation(
    others.map((campo) => ({
      campo,
      codigo: 'campo_desconocido',
      mensaje: 'El mensajero ya va en camino: envía solo `nota`.',
    })),
  );
}

export function imprecise(precisionM: number): AppError {
  const mensaje = `La posición tiene unos ${Math.round(precisionM)} m de error. Envía un punto exacto, o \`precision_aceptada: true\` si es ahí.`;
  return new AppError('precision_baja', {
    detail: mensaje,
    errores: [{ campo: 'precision_m', codigo: 'precision_baja', mensaje }],
  });
}

/** @param place that was sent; without coordinates it has only a landmark of the place that was shown. */
export function placeChanged(
  { lat, lng, version }: SavedPlace,
  place: Pick<ConfirmedPlace, 'lat' | 'lng'>,
): AppError {
  const distancia_m =
    place.lat === undefined || place.lng === undefined
      ? undefined
      : Math.round(metresBetween({ lat: place.lat, lng: place.lng }, { lat, lng }));
  const where = distancia_m === undefined ? '' : `, a ${lengthInWords(distancia_m)}`;
  const mensaje = `Ya hay un lugar marcado${where}. Para cambiarlo, repite con \`version\`: \`${version}\`.`;
  return new AppError('lugar_cambiado', {
    detail: mensaje,
    errores: [{ campo: 'version', codigo: 'lugar_cambiado', mensaje }],
    members: { version, ...(distancia_m !== undefined && { distancia_m }) },
  });
}

export const tooManyCorrections = (from: string) =>
  new AppError('guia_no_modificable', {
    detail: `La entrega se corrigió ${MAX_CORRECTIONS} veces en 24 horas. Se puede corregir otra vez desde ${from}.`,
  });

/** Of a plus code. */
const NO_AREA =
  'Al código plus le falta su zona. Envíalo completo, con las cuatro letras o cifras que van antes (`765CWVRM+9F`).';

/** @throws AppError `validacion` or `enlace_…` if a link has no coordinates. */
export function toPlace(found: ResolvedLink, link: string): { lat: number; lng: number; mapsUrl: string } {
  const lacksArea = 'reason' in found && found.reason === 'short_code';
  switch (found.kind) {
    case 'coordinates':
      return { lat: found.lat, lng: found.lng, mapsUrl: link };
    case 'unreadable':
      throw AppError.validation([
        {
          campo: 'maps_url',
          codigo: 'formato',
          mensaje: lacksArea ? NO_AREA : 'Eso no es un enlace de mapa ni unas coordenadas.',
        },
      ]);
    case 'unsupported':
      throw linkError('enlace_no_soportado', 'Ese enlace no lleva a un lugar de un mapa que conozcamos.');
    case 'broken':
      throw linkError('enlace_roto', 'El mapa dice que ese enlace ya no existe. Comparte uno nuevo.');
    case 'silent':
      throw linkError(
        'no_disponible',
        'El mapa no responde ahora. Intenta de nuevo en un minuto, o usa tu ubicación.',
      );
    default:
      throw linkError(
        'enlace_sin_coordenadas',
        lacksArea ? NO_AREA : 'Ese enlace no dice el punto exacto. Comparte un pin, o usa tu ubicación.',
      );
  }
}

function linkError(
  codigo: 'enlace_no_soportado' | 'enlace_sin_coordenadas' | 'enlace_roto' | 'no_disponible',
  mensaje: string,
): AppError {
  return new AppError(codigo, { detail: mensaje, errores: [{ campo: 'maps_url', codigo, mensaje }] });
}
