import type { CountryCode } from 'libphonenumber-js';
import { isGuiaNumero } from '../../guias/guia-numero.js';
import { toE164 } from '../../validation/phone.js';
import { hasForbiddenCharacter, isLongerThan } from '../../validation/text.js';

/** The readings of a text; each of them is searched for. */
export interface SearchTerms {
  /** Guide number. */
  numero?: string;
  /** It has the length of a guide number, and is none: a digit is wrong. */
  isWrongNumero?: true;
  /** The phone as it reads in each country, in E.164. */
  telefonos?: string[];
  /** The last digits of a phone. */
  ultimos?: string;
  /** How `external_ref` may be written, as typed first. */
  referencias?: string[];
  /** How a name begins; case and accents do not matter. */
  nombre?: string;
  /** `X-Request-Id`. */
  peticion?: string;
}

/** Characters of a name; fewer would match thousands. */
const MIN_NAME = 3;
const MAX_NAME = 120;
const MAX_REFERENCIA = 100;

const PHONE_LIKE = /^[+(]?[\d\s().-]+$/;
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
  const isPhoneLike = PHONE_LIKE.test(text);
  const telefonos = isPhoneLike ? numbersOf(text, countries) : [];
  const referencias = writtenAs(text).filter((one) => !isLongerThan(one, MAX_REFERENCIA));
  return {
    ...(isPhoneLike && isGuiaNumero(digits) && { numero: digits }),
    ...(isPhoneLike &&
      !text.includes('+') &&
      digits.length === 12 &&
      !isGuiaNumero(digits) && { isWrongNumero: true }),
    ...(telefonos.length > 0 && { telefonos }),
    ...(takesPhoneEnds && isPhoneLike && digits.length >= 4 && digits.length <= 7 && { ultimos: digits }),
    ...(referencias.length > 0 && { referencias }),
    ...(/\p{L}/u.test(text) && text.length >= MIN_NAME && text.length <= MAX_NAME && { nombre: text }),
    ...(REQUEST_ID.test(text) && { peticion: text }),
  };
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
