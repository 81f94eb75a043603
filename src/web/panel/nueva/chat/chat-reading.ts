import type { CountryCode } from 'libphonenumber-js';
import { readAmount } from './chat-amounts.js';
import { readDirections } from './chat-directions.js';
import { labelledParts } from './chat-labels.js';
import { readLinks } from './chat-links.js';
import { readName } from './chat-names.js';
import { readPhone } from './chat-phones.js';
import { mentionsIn, readPlace } from './chat-places.js';
import {
  LIMITS,
  type ChatField,
  type ChatFieldName,
  type ChatReading,
  ChatText,
  trimMarks,
} from './chat-text.js';
import type { PlacesByKey } from '../../../../locations/places/places.js';

/** Fields of the form, each with its hint where a text has none. */
const WANTED: [name: ChatFieldName, what: string][] = [
  ['nombre', 'El texto no dice el nombre.'],
  ['telefono', 'El texto no dice el teléfono.'],
  ['cod_amount', 'El texto no dice cuánto se cobra. Escríbalo, o 0 si no se cobra nada.'],
  ['departamento', 'El texto no dice el departamento.'],
  ['municipio', 'El texto no dice el municipio.'],
  ['direccion', 'El texto no dice la dirección.'],
];

/** Why each field that a text leaves out is to be looked at; an address is not missed where there is a link to the place. */
export function notesOfMissing(reading: ChatReading): Partial<Record<ChatFieldName, string>> {
  const missing = WANTED.filter(
    ([name]) => !reading[name] && !(name === 'direccion' && (reading.maps_url ?? reading.referencia)),
  );
  return Object.fromEntries(missing);
}

/** Read only where they are labelled; free text is searched for them as well. */
const TEXTS = ['direccion', 'referencia', 'contenido', 'notas'] as const;

/**
 * Reads what a customer wrote: name, phone, map link, amount, place, all in one text. What is not certain has a note, and
 * what is not there is absent. Nothing is sent anywhere, and each text takes a few milliseconds.
 */
export function readChat(
  pasted: string,
  { country, currency, places }: { country: CountryCode; currency: string; places: PlacesByKey },
): ChatReading {
  const chat = new ChatText(pasted);
  const reading: ChatReading = {};
  const set = (name: ChatFieldName, field: ChatField | undefined) => {
    if (field && (field.valor !== '' || field.nota !== undefined))
      reading[name] ??= { ...field, valor: field.valor.slice(0, LIMITS[name]) };
  };
  set('maps_url', readLinks(chat, country));
  const labels = labelledParts(chat);
  // Phones and amounts are told from each other by the words and signs before them.
  set('cod_amount', readAmount(chat, currency, country));
  set('telefono', readPhone(chat, country));
  const mentions = mentionsIn(chat, places, country);
  set('nombre', readName(chat, labels.get('nombre'), mentions));
  const named = { departamento: labels.get('departamento'), municipio: labels.get('municipio') };
  const place = readPlace(chat, country, named, mentions);
  set('departamento', place.departamento);
  set('municipio', place.municipio);
  for (const name of TEXTS) {
    const span = labels.get(name);
    if (!span) continue;
    const own = chat.unread(span);
    const valor = trimMarks(chat.at(own));
    const isWhole = !/[a-z\d]/.test(chat.rest.slice(own.end, span.end));
    set(name, { valor, nota: isWhole ? undefined : 'Revise que esté completo.' });
    chat.take(span);
  }
  for (const [name, field] of Object.entries(readDirections(chat))) set(name as ChatFieldName, field);
  return reading;
}
