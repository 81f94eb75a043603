import type { CountryCode } from 'libphonenumber-js';
import { readMapLinkIn } from '../../locations/map-link.js';
import type { Coordinates } from '../../locations/reading.js';
import { isFarOutside, swappedBack } from '../../locations/plausibility.js';
import { AS_TYPED, fromForm } from '../dto/confirmar.dto.js';
import type { PageError } from './page-model.js';
import type { PageTexts } from './texts.es.js';

/**
 * The question whether a form's latitude and longitude are the wrong way round, or whether one has the wrong sign; undefined
 * where they are plausible, or the person has answered it. A place in `maps_url` counts where no coordinates were sent.
 */
export function swapQuestion(
  form: Record<string, string>,
  { pais, cerca }: { pais: CountryCode; cerca: Coordinates | null },
  texts: PageTexts,
): PageError | undefined {
  if (AS_TYPED in form) return undefined;
  const { lat, lng } = fromForm(form);
  const isPoint = typeof lat === 'number' && typeof lng === 'number';
  const given = isPoint ? { lat, lng } : pastedPoint(form.maps_url ?? '');
  if (!given) return undefined;
  const swapped = swappedBack(pais, given, cerca);
  const meant = swapped ?? withOtherSign(pais, given);
  if (!meant) return undefined;
  const { question, minusMissing, minusTooMany } = texts.swapped;
  const lacksMinus = meant.lat < Math.min(given.lat, 0) || meant.lng < Math.min(given.lng, 0);
  const text = swapped ? question : lacksMinus ? minusMissing : minusTooMany;
  return { text, field: null, meant, isPossible: Math.abs(given.lat) <= 90 };
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
