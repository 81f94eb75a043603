import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import { readPlainPhone } from './plain-phone.js';

/** Longest text read as a phone number: E.164 has 15 digits, people add spaces, dashes and brackets. */
const MAX_LENGTH = 40;

/** What the database accepts, too: libphonenumber takes longer ones in a few countries. */
const E164 = /^\+[1-9]\d{3,14}$/;

/**
 * A possible phone number in E.164, or undefined. Without `+` it is read in `country`; where none is
 * given only international form is understood.
 */
export function toE164(text: string, country?: CountryCode): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = text.trim();
  return readPlainPhone(trimmed, country) ?? parse(trimmed, country);
}

function parse(text: string, country?: CountryCode): string | undefined {
  const number = parsePhoneNumberFromString(text, {
    ...(country && { defaultCountry: country }),
    extract: false,
  });
  // An extension would be lost in E.164, and "5555 1234, 5555 4321" reads as one.
  if (!number?.isPossible() || number.ext !== undefined) return undefined;
  return E164.test(number.number) ? number.number : undefined;
}
