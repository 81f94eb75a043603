import type { CountryCode } from 'libphonenumber-js';
import { isGuiaNumero } from '../guia/guia-digits.js';
import { toE164 } from '../../platform/validation/phone.js';
import { hasForbiddenCharacter, isLongerThan } from '../../platform/validation/text.js';

/** The readings of a text; each of them is searched for. */
export interface SearchTerms {
  /** Guide number. */
  numero?: string;
  /** The phone as it reads in each country, in E.164. */
  telefonos?: string[];
  /** The last digits of a phone. */
  ultimos?: string;
  /** The last digits of the number of an open guide. */
  finales?: string;
  /** How `external_ref` may be written, as typed first. */
  referencias?: string[];
  /** How `external_ref` may be written where its letters are said without being in it: `REF-00123` for `00123`. */
  sinLetras?: string[];
  /** Words in a name or a reference, also parts of words; case and accents do not matter. */
  palabras?: string[];
  /** `X-Request-Id`. */
  peticion?: string;
}

/** Longer texts are neither a name nor a reference. */
const MAX_TEXT = 120;

/** Words that are looked for; the first ones of more. */
const MAX_WORDS = 6;

/** An index finds three letters or digits in a row. */
const FINDABLE = /[\p{L}\p{N}]{3}/u;

const MAX_REFERENCIA = 100;

/** A guide number, or a phone or its end, as it is dictated. */
const PHONE_LIKE = /^[+(]?[\d\s().-]+$/;
/** Marks without a width: chats put them around numbers, and they are copied with them. */
const INVISIBLE = /\p{Cf}/gu;
const NO_PHONE = /[\p{L}#]/u;
/** Between the parts of a reference; people leave them out, or say others. */
export const SEPARATORS = ' -_/.#:';

const SEPARATOR = /[-\s_/.#:]/g;

export const withoutSeparators = (text: string): string => text.replace(SEPARATOR, '');

/** Letters before the digits of a reference: `REF00123`. */
const LETTERS_AND_DIGITS = /^\p{L}+(\d{3,})$/u;

const REQUEST_ID = /^[A-Za-z0-9._-]{6,64}$/;

/**
 * Reads the search text.
 * @param countries in which local phone numbers are read.
 * @param takesPhoneEnds whether the last digits of a phone are enough.
 */
export function readSearch(
  typed: string,
  countries: readonly CountryCode[],
  takesPhoneEnds: boolean,
): SearchTerms {
  const text = typed.trim();
  if (text === '' || hasForbiddenCharacter(text, false)) return {};
  const digits = text.replace(/\D/g, '');
  const [, ofLetters] = LETTERS_AND_DIGITS.exec(withoutSeparators(text)) ?? [];
  const isPhoneLike = PHONE_LIKE.test(text.replace(INVISIBLE, ''));
  const telefonos = NO_PHONE.test(text) ? [] : numbersOf(text, countries);
  const referencias = writtenAs(text).filter((one) => !isLongerThan(one, MAX_REFERENCIA));
  return {
    ...(isPhoneLike && isGuiaNumero(digits) && { numero: digits }),
    ...(telefonos.length > 0 && { telefonos }),
    ...(takesPhoneEnds && isPhoneLike && digits.length >= 4 && digits.length <= 7 && { ultimos: digits }),
    ...(isPhoneLike && digits.length >= 4 && digits.length <= 7 && { finales: digits }),
    ...(referencias.length > 0 && { referencias }),
    ...(ofLetters !== undefined && { sinLetras: [ofLetters, `#${ofLetters}`] }),
    ...(text.length <= MAX_TEXT && FINDABLE.test(text) && { palabras: wordsOf(text) }),
    ...(REQUEST_ID.test(text) && { peticion: text }),
  };
}

/** The words that an index finds come first. */
function wordsOf(text: string): string[] {
  const words = [...new Set(text.split(/[\s#]+/).filter((word) => word !== ''))];
  return words.sort((a, b) => Number(FINDABLE.test(b)) - Number(FINDABLE.test(a))).slice(0, MAX_WORDS);
}

/** A reference as people say it: with or without its `#`, in capitals or not. An index finds each of these exact texts. */
function writtenAs(text: string): string[] {
  const bare = text.replace(/^#\s*/, '');
  if (bare === '') return [text];
  const written = [text, bare, `#${bare}`].flatMap((one) => [one, one.toUpperCase(), one.toLowerCase()]);
  return [...new Set([...written, capitalized(bare), `#${capitalized(bare)}`])];
}

/** `Pedido-7`. */
function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
}

function numbersOf(text: string, countries: readonly CountryCode[]): string[] {
  const numbers = countries.map((pais) => toE164(text, pais)).filter((number) => number !== undefined);
  return [...new Set(numbers)];
}
