import { GOOD_PRECISION_M } from '../guia/good-precision.js';
import { v7 } from 'uuid';
import { FINAL_ESTADOS, OPEN_ESTADOS } from '../guia/guia-estado.js';
import type { GuiaKey } from '../guia/guia-key.js';
import { by, type Author, type GuiaEvento } from './author.js';
import { isConfirmable, takesNotesAlone } from './confirmable.js';
import type { GuiaColumns, CurrentGuia } from './guia-changes.queries.js';
import type { AnswerContextRow } from './guia-confirmations.queries.js';
import { placeVersion } from './place-version.js';
import { afterNewDestination, without } from '../guia/advertencia-rules.js';

export interface AnsweredGuia extends GuiaKey {
  /** `secuencia` of the last change of the recipient's phone, as read with the answer; null if it never changed. */
  telefonoSecuencia: number | null;
}

/** The columns that make an `AnsweredGuia`. */
export interface AnsweredGuiaRow {
  comercio_id: string;
  guia_id: string;
  telefono_secuencia: number | null;
}

export const toAnsweredGuia = (row: AnsweredGuiaRow): AnsweredGuia => ({
  comercioId: row.comercio_id,
  guiaId: row.guia_id,
  telefonoSecuencia: row.telefono_secuencia,
});

/** A recipient's answer: a place, a landmark, a note for the driver, or several of them. */
export interface ConfirmedPlace {
  /** Both are given, or neither: then the destination stays. */
  lat?: number;
  lng?: number;
  mapsUrl?: string;
  /** A landmark, which may come alone; replaces the stored one, which an empty text removes. */
  referencia?: string;
  /** For the driver. */
  nota?: string;
  origen: 'pagina' | 'whatsapp' | 'sandbox';
  /** Metres, as reported by the device; programs of former versions send it, and nothing follows from it. */
  precision?: number;
  /** Metres, as reported by the device. */
  precisionM?: number;
  /** The `placeVersion` that was shown; undefined where the answer may replace any place. */
  version?: string;
}

/** An answer that may arrive late, twice, or after a newer one. */
export interface MessageAnswer {
  /** UUID version 7; orders answers of the same time. */
  id: string;
  /** When the recipient sent it; ISO 8601 with milliseconds. */
  sentAt: string;
}

export interface PlaceAnswer {
  place: ConfirmedPlace;
  /** Whether the place is far from the merchant's country. */
  isFar: boolean;
  /** Undefined for an answer that arrives as it is given, and so is the newest. */
  answer: MessageAnswer | undefined;
  /** As in `AnsweredGuia`. */
  telefonoSecuencia: number | null;
}

export interface Confirmation {
  columns: GuiaColumns;
  evento: GuiaEvento;
}

/**
 * Decides what a recipient's answer changes. A place replaces a link that is still being expanded, and takes back a denial and
 * the doubt about a guide that moved to another town.
 * @returns `known` for what is saved already and was not asked about since; `older` for an answer that was sent before the saved
 *   place was given; `too_many` for a correction beyond the limit; `moved` where another place was saved since the one that was
 *   shown; `closed` if the guide takes no answer, or the phone has changed
 *   since the answer was read.
 */
export function decideConfirmation(
  guia: CurrentGuia,
  { place, isFar, answer, telefonoSecuencia }: PlaceAnswer,
  { ahora, corregible_desde, nota, preguntada }: Omit<AnswerContextRow, 'pais'>,
): Confirmation | 'known' | 'older' | 'closed' | 'too_many' | 'moved' {
  if (answer && answer.id === guia.respuesta_id) return guia.direccion_confirmada ? 'known' : 'closed';
  if (answer && isOlder(answer, guia)) return 'older';
  if (guia.telefono_secuencia !== telefonoSecuencia || !OPEN_ESTADOS.includes(guia.estado)) return 'closed';
  const isRepeat = isSaved(guia, place, nota);
  if (!answer && isRepeat && !isAnswerToQuestion(guia, place, preguntada)) return 'known';
  if (!isConfirmable(guia) && !(takesNotesAlone(guia) && isNoteAlone(place))) return 'closed';
  const isCorrection = !isRepeat && (guia.direccion_confirmada || place.lat === undefined);
  if (isCorrection && corregible_desde !== null) return 'too_many';
  if (isMoved(guia, place)) return 'moved';
  const { id, sentAt } = answer ?? { id: v7(), sentAt: ahora };
  const { origen, precision, precisionM } = place;
  const datos = {
    origen,
    ...(precision !== undefined && { precision }),
    ...(precisionM !== undefined && { precision_m: precisionM }),
    ...(place.nota !== undefined && { nota: place.nota }),
    ...(isCorrection && { correccion: true }),
  };
  const { referencia = guia.referencia } = place;
  const landmark = { referencia: referencia === '' ? null : referencia };
  if (place.lat === undefined) {
    const hasLandmark = landmark.referencia !== guia.referencia;
    const campos = [...(hasLandmark ? ['referencia'] : []), ...(place.nota === undefined ? [] : ['nota'])];
    return {
      columns: hasLandmark ? landmark : {},
      evento: {
        id,
        tipo: 'guia.actualizada',
        actor: 'destinatario',
        datos: { campos, ...datos },
      },
    };
  }
  return {
    columns: {
      destino_lat: place.lat,
      destino_lng: place.lng,
      destino_maps_url: place.mapsUrl ?? (isSavedPoint(guia, place) ? guia.destino_maps_url : null),
      ...landmark,
      respuesta_id: id,
      respuesta_en: sentAt,
      direccion_confirmada: true,
      confirmada_en: guia.confirmada_en ?? ahora,
      enlaces_pendientes: guia.enlaces_pendientes.filter((lugar) => lugar !== 'destino'),
      advertencias: afterNewDestination(
        without(guia.advertencias, ['destinatario_niega']),
        isFar,
        isImprecise(guia, place, preguntada),
      ),
    },
    evento: { id, tipo: 'guia.confirmada', actor: 'destinatario', datos },
  };
}

function isOlder({ id, sentAt }: MessageAnswer, { respuesta_id, respuesta_en }: CurrentGuia): boolean {
  if (respuesta_en !== null && sentAt !== respuesta_en) return sentAt < respuesta_en;
  return respuesta_id !== null && id < respuesta_id;
}

const isNoteAlone = ({ lat, referencia, nota }: ConfirmedPlace): boolean =>
  nota !== undefined && lat === undefined && referencia === undefined;

const isSavedPoint = (guia: CurrentGuia, { lat, lng }: Pick<ConfirmedPlace, 'lat' | 'lng'>): boolean =>
  guia.direccion_confirmada && guia.destino_lat === lat && guia.destino_lng === lng;

/** Whether the answer would replace a place that its sender has not seen. A note concerns no place. */
function isMoved(guia: CurrentGuia, { version, lat, lng, referencia }: ConfirmedPlace): boolean {
  const now = placeVersion(guia);
  if (version === undefined || now === '' || now === version) return false;
  if (lat !== undefined) return !isSavedPoint(guia, { lat, lng });
  return referencia !== undefined && referencia !== (guia.referencia ?? '');
}

/** Whether the place of an answer is imprecise. The saved point stays so until its recipient says more of it. */
function isImprecise(guia: CurrentGuia, place: ConfirmedPlace, isAsked: boolean): boolean {
  if (place.precisionM !== undefined) return place.precisionM > GOOD_PRECISION_M;
  return guia.advertencias.includes('destino_impreciso') && isSavedPoint(guia, place) && !isAsked;
}

/**
 * Whether an answer that repeats what is saved answers a question: a doubt about the saved place, or a question asked since the
 * last answer. Otherwise the page would keep asking.
 */
function isAnswerToQuestion(guia: CurrentGuia, place: ConfirmedPlace, isAsked: boolean): boolean {
  const { lat, nota } = place;
  if (lat !== undefined && isInDoubt(guia, place)) return true;
  return isAsked && isConfirmable(guia) && (lat !== undefined || nota !== undefined);
}

/** Whether the saved place is in doubt, which its recipient settles by saying it again. */
function isInDoubt(guia: CurrentGuia, { precisionM = Infinity }: ConfirmedPlace): boolean {
  if (guia.advertencias.includes('destinatario_niega')) return true;
  if (!isConfirmable(guia)) return false;
  const { advertencias } = guia;
  if (advertencias.includes('destino_por_revisar')) return true;
  return advertencias.includes('destino_impreciso') && precisionM <= GOOD_PRECISION_M;
}

/**
 * Whether the guide has all that was answered already. The saved point is the same place if it is sent without its link.
 * @param savedNota the last note of its recipient; null if there is none.
 */
function isSaved(
  guia: CurrentGuia,
  { lat, lng, mapsUrl = guia.destino_maps_url ?? undefined, referencia, nota }: ConfirmedPlace,
  savedNota: string | null,
): boolean {
  const saved = guia.referencia ?? '';
  const hasPlace =
    lat === undefined ||
    (guia.direccion_confirmada &&
      guia.destino_lat === lat &&
      guia.destino_lng === lng &&
      guia.destino_maps_url === (mapsUrl ?? null));
  return hasPlace && (referencia ?? saved) === saved && (nota ?? savedNota) === savedNota;
}

/** Outcome of a recipient's statement that the parcel is not theirs. */
export type DenialOutcome =
  /** The merchant is warned, now or by an earlier denial. */
  | 'denied'
  /** The guide has ended. */
  | 'ended'
  /** The phone has changed since the recipient's link was opened. */
  | 'other_phone';

/** Changes after a recipient's report that a delivered parcel did not arrive. @param texto their own words, if any. */
export function nonReceipt(
  { advertencias }: CurrentGuia,
  texto: string | undefined,
): { columns: GuiaColumns; evento: GuiaEvento } {
  return {
    columns: {
      advertencias: [...without(advertencias, ['destinatario_no_recibio']), 'destinatario_no_recibio'],
    },
    evento: {
      tipo: 'guia.destinatario_no_recibio',
      actor: 'destinatario',
      datos: texto === undefined ? {} : { nota: texto },
    },
  };
}

/** Decides what a denial changes; nothing if it has an outcome already. */
export function decideDenial(
  guia: CurrentGuia,
  telefonoSecuencia: number | null,
  author: Author,
): { columns: GuiaColumns; evento: GuiaEvento } | DenialOutcome {
  if (guia.telefono_secuencia !== telefonoSecuencia) return 'other_phone';
  if (guia.advertencias.includes('destinatario_niega')) return 'denied';
  if (FINAL_ESTADOS.includes(guia.estado)) return 'ended';
  return {
    columns: { advertencias: [...guia.advertencias, 'destinatario_niega'] },
    evento: by(author, { tipo: 'guia.destinatario_niega' }),
  };
}
