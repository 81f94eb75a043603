import { v7 } from 'uuid';
import { FINAL_ESTADOS } from '../guia-estado.js';
import type { GuiaKey } from '../guia-key.js';
import { by, type Author } from './author.js';
import { isConfirmable } from './confirmable.js';
import type { GuiaColumns, LockedGuia } from './guia-changes.queries.js';
import type { GuiaEvento } from './guia-transaction.js';
import { afterNewDestination, without } from './plausibility-advertencias.js';

/** A guide whose recipient has answered. */
export interface AnsweredGuia extends GuiaKey {
  /**
   * `secuencia` of the event that last changed the recipient's phone, as read with the answer; null if the
   * phone never changed.
   */
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

export interface ConfirmedPlace {
  lat: number;
  lng: number;
  /** The map link they sent, if any. */
  mapsUrl?: string;
  /** A landmark; replaces the stored one, which an empty text removes. */
  referencia?: string;
  /** The channel of the answer. */
  origen: 'pagina' | 'whatsapp' | 'sandbox';
  /** Metres, as reported by the device. */
  precision?: number;
}

/** An answer that may arrive late, twice, or after a newer one. */
export interface MessageAnswer {
  /** UUID version 7; orders answers of the same time. */
  id: string;
  /** When the recipient sent it; ISO 8601 with milliseconds. */
  sentAt: string;
}

/** A place that a recipient answered with. */
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
  columns: GuiaColumns & { confirmada_en: string };
  evento: GuiaEvento;
}

/**
 * Decides what a recipient's place changes. It replaces a link that is still being expanded, and takes back a denial.
 * @param now ISO 8601, by the database's clock.
 * @returns `known` for the place or the answer that is saved already; `older` for an answer that was sent before the saved
 *   one; `closed` if the guide takes no answer, the correction comes too late, or the phone has changed since the answer
 *   was read.
 */
export function decideConfirmation(
  guia: LockedGuia,
  { place, isFar, answer, telefonoSecuencia }: PlaceAnswer,
  now: string,
): Confirmation | 'known' | 'older' | 'closed' {
  if (answer && answer.id === guia.respuesta_id) return guia.direccion_confirmada ? 'known' : 'closed';
  if (answer && isOlder(answer, guia)) return 'older';
  if (guia.telefono_secuencia !== telefonoSecuencia || !isConfirmable(guia, now)) return 'closed';
  if (!answer && isSaved(guia, place)) return 'known';
  const { id, sentAt } = answer ?? { id: v7(), sentAt: now };
  const { lat, lng, mapsUrl, referencia = guia.referencia, origen, precision } = place;
  return {
    columns: {
      destino_lat: lat,
      destino_lng: lng,
      destino_maps_url: mapsUrl ?? null,
      referencia: referencia === '' ? null : referencia,
      respuesta_id: id,
      respuesta_en: sentAt,
      direccion_confirmada: true,
      confirmada_en: guia.confirmada_en ?? now,
      enlaces_pendientes: guia.enlaces_pendientes.filter((lugar) => lugar !== 'destino'),
      advertencias: afterNewDestination(without(guia.advertencias, ['destinatario_niega']), isFar),
    },
    evento: {
      id,
      tipo: 'guia.confirmada',
      actor: 'destinatario',
      datos: { origen, ...(precision !== undefined && { precision }) },
    },
  };
}

function isOlder({ id, sentAt }: MessageAnswer, { respuesta_id, respuesta_en }: LockedGuia): boolean {
  if (respuesta_id === null) return false;
  const isSameTime = respuesta_en === null || sentAt === respuesta_en;
  return isSameTime ? id < respuesta_id : sentAt < respuesta_en;
}

/** Whether the guide has this place and landmark by its recipient already, who has not denied the parcel since. */
function isSaved(guia: LockedGuia, { lat, lng, mapsUrl, referencia }: ConfirmedPlace): boolean {
  const saved = guia.referencia ?? '';
  return (
    guia.direccion_confirmada &&
    guia.destino_lat === lat &&
    guia.destino_lng === lng &&
    guia.destino_maps_url === (mapsUrl ?? null) &&
    (referencia ?? saved) === saved &&
    !guia.advertencias.includes('destinatario_niega')
  );
}

/** What becomes of a recipient's statement that the parcel is not theirs. */
export type DenialOutcome =
  /** The merchant is warned, now or by an earlier denial. */
  | 'denied'
  /** The guide has ended. */
  | 'ended'
  /** The phone has changed since the recipient's link was opened. */
  | 'other_phone';

/** Decides what a denial changes; nothing if it has an outcome already. */
export function decideDenial(
  guia: LockedGuia,
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
