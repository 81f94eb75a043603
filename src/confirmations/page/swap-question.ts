import type { CountryCode } from 'libphonenumber-js';
import { readMapLinkIn } from '../../locations/map-link.js';
import type { Coordinates } from '../../locations/reading.js';
import { swappedBack } from '../../locations/plausibility.js';
import { AS_TYPED, fromForm } from '../dto/confirmar.dto.js';
import type { PageError } from './page-model.js';
import type { PageTexts } from './texts.es.js';

/**
 * The question whether a form's latitude and longitude are the wrong way round; undefined where they are not, or the
 * person has answered it. A place in `maps_url` counts where no coordinates were sent.
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
  const swapped = given && swappedBack(pais, given, cerca);
  if (!swapped) return undefined;
  return { text: texts.swapped.question, field: null, swapped, isPossible: Math.abs(given.lat) <= 90 };
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
