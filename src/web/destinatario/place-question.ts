import type { CountryCode } from 'libphonenumber-js';
import { readMapLinkIn } from '../../locations/map-link.js';
import type { Coordinates } from '../../locations/reading.js';
import { metresBetween } from '../../locations/distance.js';
import { isFarOutside, swappedBack } from '../../locations/plausibility.js';
import { AS_TYPED, fromForm } from '../../confirmations/dto/confirmar.dto.js';
import type { PageError } from './page-model.js';
import type { PageTexts } from './texts.js';

/** Metres from the middle of a municipality; the largest ones reach about as far. */
const FAR_M = 150_000;

interface Parcel {
  pais: CountryCode;
  municipio: string;
  centro: Coordinates | null;
  cerca: Coordinates | null;
}

/**
 * The question about a form's place before it is taken: whether latitude and longitude are the wrong way round, whether one
 * has the wrong sign, or whether a place outside the country or far from the municipality is meant. Undefined where it is
 * plausible, or the person has answered. A place in `maps_url` counts where no coordinates were sent.
 */
export function placeQuestion(
  form: Record<string, string>,
  { pais, municipio, centro, cerca }: Parcel,
  texts: PageTexts,
): PageError | undefined {
  if (AS_TYPED in form) return undefined;
  const { lat, lng } = fromForm(form);
  const isPoint = typeof lat === 'number' && typeof lng === 'number';
  const given = isPoint ? { lat, lng } : pastedPoint(form.maps_url ?? '');
  if (!given) return undefined;
  const swapped = swappedBack(pais, given, cerca);
  const meant = swapped ?? withOtherSign(pais, given);
  const isPossible = Math.abs(given.lat) <= 90 && Math.abs(given.lng) <= 180;
  if (!meant) return isPossible ? farQuestion(given, { pais, municipio, centro }, texts) : undefined;
  const { question, minusMissing, minusTooMany } = texts.swapped;
  const lacksMinus = meant.lat < Math.min(given.lat, 0) || meant.lng < Math.min(given.lng, 0);
  const text = swapped ? question : lacksMinus ? minusMissing : minusTooMany;
  return { text, field: null, meant, isPossible };
}

function farQuestion(
  given: Coordinates,
  { pais, municipio, centro }: Omit<Parcel, 'cerca'>,
  { far, lang }: PageTexts,
): PageError | undefined {
  const question = { field: null, isPossible: true };
  if (isFarOutside(pais, given)) {
    const country = new Intl.DisplayNames(lang, { type: 'region' }).of(pais)!;
    return { ...question, text: far.abroad(country) };
  }
  const metres = centro === null ? 0 : metresBetween(centro, given);
  if (metres < FAR_M) return undefined;
  return { ...question, text: far.away(Math.round(metres / 10_000) * 10, municipio) };
}

/** A point far outside a country with the sign that brings it inside; undefined where none does, or it is not far. */
function withOtherSign(country: string, point: Coordinates): Coordinates | undefined {
  const { lat, lng } = point;
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180 || !isFarOutside(country, point)) return undefined;
  const others = [
    { lat, lng: -lng },
    { lat: -lat, lng },
    { lat: -lat, lng: -lng },
  ];
  return others.find((other) => !isFarOutside(country, other));
}

/** The place in a pasted text, read without a request. `-90.5, 14.6` is no place, but may be one with its axes swapped. */
function pastedPoint(text: string): Coordinates | undefined {
  const found = readMapLinkIn(text);
  if (found.kind === 'coordinates') return found;
  if (found.kind !== 'unreadable') return undefined;
  const [first, second, ...others] = text.trim().split(/[\s,;]+/);
  const reversed =
    second !== undefined && others.length === 0 ? readMapLinkIn(`${second}, ${first}`) : undefined;
  return reversed?.kind === 'coordinates' ? { lat: reversed.lng, lng: reversed.lat } : undefined;
}
