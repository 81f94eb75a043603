import { stringify } from 'lossless-json';
import { ofEachText, TEXTOS, TEXTS, type StoredTexts } from '../../guias/guia/guia-fields.js';
import { PAGADA, PRUEBA } from '../endpoints/webhook-evento.js';

/** Bytes; a body stays below, as Standard Webhooks recommends. */
const MAX_BYTES = 20_000;

/** A guide as its detail shows it; named here are the fields that may be trimmed, and `estado`. */
interface AnnouncedGuia extends Readonly<StoredTexts> {
  readonly estado: string;
  readonly recogida: { readonly maps_url: string | null; readonly direccion: string | null };
  readonly destino: { readonly maps_url: string | null };
}

export interface AnnouncedEvento {
  /** Like `guia.cancelada`. */
  readonly tipo: string;
  readonly en: Date;
  /** Order among the guide's events; ascending, with gaps. */
  readonly secuencia: number;
  readonly estado: string;
  /** Null if the event did not change the state. */
  readonly estado_anterior: string | null;
  readonly motivo?: string;
  /** Further fields of this type; together with `motivo` at most 4,000 bytes of JSON. */
  readonly detalles?: Readonly<Record<string, unknown>>;
}

const OPTIONAL_TEXTS = TEXTOS.filter((texto) => TEXTS[texto].empty === null);

/** Fields replaced by null while a body is too large: the first group, then both. */
const TRIMMABLE = [
  // Links have up to 4,096 characters, 16 KiB each. Without them every guide that the API accepts is small enough.
  ['guia.recogida.maps_url', 'guia.destino.maps_url'],
  // Control characters take six bytes in JSON. The API refuses them, but the database could hold them.
  [...OPTIONAL_TEXTS.map((texto) => `guia.${texto}` as const), 'guia.recogida.direccion'],
] as const;

type Trimmable = (typeof TRIMMABLE)[number][number];

/**
 * The body of a message, below 20,000 bytes for every guide that the database can hold. Fields removed for that are
 * null and named in `data.recortado`; the API returns them.
 */
export function webhookBody(evento: AnnouncedEvento, guia: AnnouncedGuia): string {
  let body = toJson(evento, guia, []);
  for (let count = 1; Buffer.byteLength(body) >= MAX_BYTES && count <= TRIMMABLE.length; count++)
    body = toJson(evento, guia, TRIMMABLE.slice(0, count).flat());
  return body;
}

function toJson(evento: AnnouncedEvento, guia: AnnouncedGuia, trim: readonly Trimmable[]): string {
  const { tipo, en, secuencia, estado, estado_anterior, motivo, detalles } = evento;
  const recortado: Trimmable[] = [];
  const trimmed = (path: Trimmable, value: string | null) => {
    if (value === null || !trim.includes(path)) return value;
    recortado.push(path);
    return null;
  };
  const { recogida, destino } = guia;
  const shown = {
    ...guia,
    ...ofEachText((_text, texto) => trimmed(`guia.${texto}`, guia[texto])),
    recogida: {
      ...recogida,
      maps_url: trimmed('guia.recogida.maps_url', recogida.maps_url),
      direccion: trimmed('guia.recogida.direccion', recogida.direccion),
    },
    destino: { ...destino, maps_url: trimmed('guia.destino.maps_url', destino.maps_url) },
  };
  return JSON.stringify({
    type: tipo,
    timestamp: en.toISOString(),
    data: {
      secuencia,
      estado,
      estado_anterior,
      motivo,
      ...detalles,
      ...(recortado.length > 0 && { recortado: recortado.sort() }),
      guia: shown,
    },
  });
}

/** @param en ISO 8601. @param liquidacion as the API shows it; its amounts may be lossless numbers. */
export function paymentBody(en: string, liquidacion: object): string {
  return stringify({ type: PAGADA, timestamp: en, data: { liquidacion } })!;
}

/** @param webhook its id. */
export function testBody(webhook: string, at: Date): string {
  const mensaje = 'Prueba de Guías: si lee esto, el webhook funciona.';
  return JSON.stringify({ type: PRUEBA, timestamp: at.toISOString(), data: { webhook, mensaje } });
}
