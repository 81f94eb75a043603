import type { CountryCode } from 'libphonenumber-js';
import { isFarOutside } from '../../locations/plausibility.js';
import type { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import type { GuiaAdvertencia } from '../guia/guia-advertencia.js';
import { foldName } from '../../platform/validation/text.js';
import { COLUMN_OF, EDITABLE_CAMPOS, FIELDS, type EditableCampo } from '../guia/guia-fields.js';
import type { Lugar } from '../guia/guia-row.js';
import { by, type Author } from './author.js';
import { checkCampos, checkRecogida } from './editable-fields.js';
import { NOW, type GuiaColumns, type CurrentGuia } from './guia-changes.queries.js';
import type { GuiaEvento } from './author.js';
import {
  afterClearedDestination,
  afterNewDestination,
  afterNewPhone,
  afterNewPickup,
} from '../guia/advertencia-rules.js';

/** The destination in an edit: a point, or a link whose coordinates are not known. */
export interface Destino {
  lat: number | null;
  lng: number | null;
  mapsUrl: string | null;
  /** Whether its map service did not answer, so that the link is expanded later. */
  isPending: boolean;
}

export const NO_DESTINO: Destino = { lat: null, lng: null, mapsUrl: null, isPending: false };

/** Another pickup point, which the panel alone offers. */
export interface OtraRecogida {
  lat: number;
  lng: number;
  nombre: string;
  direccion: string;
}

export interface Edit {
  columns: GuiaColumns;
  eventos: GuiaEvento[];
}

const TO_REVIEW: GuiaAdvertencia = 'destino_por_revisar';

/** Doubts about a destination, which whoever sends it again takes back. */
const DOUBTS: readonly string[] = [TO_REVIEW, 'destino_impreciso' satisfies GuiaAdvertencia];

const PLACE_CAMPOS: readonly EditableCampo[] = ['lat', 'lng', 'maps_url'];

/**
 * Decides what an edit changes of a guide; undefined if nothing.
 * @param sent the destination in the request, its link resolved. @param recogida another pickup point.
 * @throws AppError `guia_no_modificable` for a change of a field that is locked in the guide's state.
 */
export function decideEdit(
  guia: CurrentGuia,
  dto: EditarGuiaDto,
  sent: Destino | undefined,
  country: CountryCode,
  author: Author,
  recogida?: OtraRecogida,
): Edit | undefined {
  const destino = sent && isNew(sent, guia) ? withSavedPoint(sent, guia) : undefined;
  const moved = recogida && changedColumns(guia, pickupColumns(recogida));
  const isMoved = moved !== undefined && Object.keys(moved).length > 0;
  const changed = changedColumns(guia, { ...textColumns(dto), ...(destino && placeColumns(destino)) });
  // A new destination lists every place field sent, even if it repeats the stored value.
  const campos = EDITABLE_CAMPOS.filter(
    (campo) =>
      COLUMN_OF[campo] in changed || (destino && PLACE_CAMPOS.includes(campo) && dto[campo] !== undefined),
  );
  if (campos.length === 0 && !isMoved) return undefined;
  checkCampos(campos, guia.estado, author.actor);
  if (isMoved) checkRecogida(guia.estado);
  const hasNewPhone = 'telefono' in changed;
  let { advertencias } = guia;
  if (destino === NO_DESTINO) advertencias = afterClearedDestination(advertencias);
  else if (destino) advertencias = afterNewDestination(advertencias, isFar(destino, country));
  else if (sent === undefined && isElsewhere(guia, changed) && !advertencias.includes(TO_REVIEW))
    advertencias = [...advertencias, TO_REVIEW];
  if (changed.telefono !== undefined) advertencias = afterNewPhone(advertencias, changed.telefono);
  if (isMoved) advertencias = afterNewPickup(advertencias, isFarOutside(country, recogida!));
  let { enlaces_pendientes } = guia;
  if (destino) enlaces_pendientes = pendingAfter(enlaces_pendientes, destino);
  if (isMoved) enlaces_pendientes = enlaces_pendientes.filter((lugar) => lugar !== 'recogida');
  const isConfirmed = destino === undefined ? guia.direccion_confirmada : destino !== NO_DESTINO;
  return {
    columns: {
      ...changed,
      ...moved,
      ...(advertencias !== guia.advertencias && { advertencias }),
      ...(destino && {
        direccion_confirmada: isConfirmed,
        confirmada_en: null,
        // A place that the recipient sent before, and that arrives later, does not replace this one.
        ...(destino !== NO_DESTINO && { respuesta_en: NOW }),
      }),
      ...((destino || isMoved) && { enlaces_pendientes }),
      // `secuencia` of the first event.
      ...(hasNewPhone && { telefono_secuencia: guia.version + 1 }),
    },
    eventos: [
      by(author, {
        tipo: 'guia.actualizada',
        datos: {
          campos: isMoved ? [...campos, 'recogida'] : campos,
          ...('cod_amount' in changed && { cod_antes: guia.cod_amount, cod_amount: changed.cod_amount }),
        },
      }),
      ...(isConfirmed && !guia.direccion_confirmada ? [by(author, { tipo: 'guia.confirmada' })] : []),
      // Nobody is asked where the driver is on the way already.
      ...((hasNewPhone || destino === NO_DESTINO) && !isConfirmed && guia.estado !== 'en_ruta'
        ? [by(author, { tipo: 'guia.confirmacion_pedida' })]
        : []),
    ],
  };
}

/** Whether a guide that has a destination gets another town. */
function isElsewhere(guia: CurrentGuia, { departamento, municipio }: GuiaColumns): boolean {
  const hasDestino = guia.destino_lat !== null || guia.destino_maps_url !== null;
  const isOther = (now: string | undefined, before: string) =>
    now !== undefined && foldName(now) !== foldName(before);
  return hasDestino && (isOther(departamento, guia.departamento) || isOther(municipio, guia.municipio));
}

/**
 * Whether a destination changes anything: another place, or the same one of an address that is not confirmed, that is to be
 * reviewed, or is imprecise, or whose link is still being expanded. The guide's own link without an answer changes nothing while it is being
 * expanded, or if its place is known, unless that is to be reviewed.
 */
function isNew({ lat, lng, mapsUrl, isPending }: Destino, guia: CurrentGuia): boolean {
  const isExpanding = guia.enlaces_pendientes.includes('destino');
  const isToReview = guia.advertencias.some((codigo) => DOUBTS.includes(codigo));
  if (isPending && mapsUrl === guia.destino_maps_url)
    return isToReview || (!guia.direccion_confirmada && !isExpanding);
  const isSame = lat === guia.destino_lat && lng === guia.destino_lng && mapsUrl === guia.destino_maps_url;
  // A place confirms the address; without one it is unconfirmed.
  const confirms = lat !== null || mapsUrl !== null;
  return !isSame || guia.direccion_confirmada !== confirms || isExpanding || isToReview;
}

/** The guide's own link keeps the point that it led to, where it gets no answer now. */
function withSavedPoint(sent: Destino, { destino_lat, destino_lng, destino_maps_url }: CurrentGuia): Destino {
  if (!sent.isPending || sent.mapsUrl !== destino_maps_url || destino_lat === null) return sent;
  return { ...sent, lat: destino_lat, lng: destino_lng, isPending: false };
}

/** The columns of the texts and the amount that were sent. Null clears those that can be cleared, and leaves the others. */
function textColumns(dto: EditarGuiaDto): GuiaColumns {
  const sent = EDITABLE_CAMPOS.filter((campo) => !PLACE_CAMPOS.includes(campo)).map((campo) => {
    const value = dto[campo];
    return [COLUMN_OF[campo], value === null ? FIELDS[campo].empty : value];
  });
  return Object.fromEntries(sent) as GuiaColumns;
}

function pickupColumns({ lat, lng, nombre, direccion }: OtraRecogida): GuiaColumns {
  return {
    recogida_lat: lat,
    recogida_lng: lng,
    recogida_maps_url: null,
    recogida_nombre: nombre,
    recogida_direccion: direccion,
  };
}

function placeColumns({ lat, lng, mapsUrl }: Destino): GuiaColumns {
  return { destino_lat: lat, destino_lng: lng, destino_maps_url: mapsUrl };
}

/** The columns that were sent with another value than the guide's. */
function changedColumns(guia: CurrentGuia, sent: GuiaColumns): GuiaColumns {
  const changed = Object.entries(sent).filter(
    ([column, value]) => value !== undefined && value !== guia[column as keyof GuiaColumns],
  );
  return Object.fromEntries(changed);
}

function pendingAfter(pendientes: readonly Lugar[], { isPending }: Destino): Lugar[] {
  const others = pendientes.filter((lugar) => lugar !== 'destino');
  return isPending ? [...others, 'destino'] : others;
}

function isFar({ lat, lng }: Destino, country: CountryCode): boolean {
  return lat !== null && lng !== null && isFarOutside(country, { lat, lng });
}
