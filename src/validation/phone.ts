import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';

/** Longest text read as a phone number: E.164 has 15 digits, people add spaces, dashes and brackets. */
export const MAX_PHONE_LENGTH = 40;

/** Marks of the writing direction, which contacts and messages bring along unseen. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The form that the database accepts. libphonenumber accepts longer numbers in a few countries. */
const E164 = /^\+[1-9]\d{3,14}$/;

/**
 * A possible phone number in E.164, or undefined. A number without `+` is read as one of `country`;
 * without a country only international form is read.
 */
export function toE164(text: string, country?: CountryCode): string | undefined {
  if (text.length > MAX_PHONE_LENGTH) return undefined;
  // Not a spread copy: `docs/performance.md`, "Memory", says why.
  const options = country ? { defaultCountry: country, extract: false } : { extract: false };
  const number = parsePhoneNumberFromString(text.replace(DIRECTION_MARKS, '').trim(), options);
  // E.164 would lose an extension, and "5555 1234, 5555 4321" is parsed as a number with one.
  if (!number?.isPossible() || number.ext !== undefined) return undefined;
  return E164.test(number.number) ? number.number : undefined;
}

/** A number in the groups that people read aloud: `+502 5555 1234`. @param e164 as `toE164` returns it. */
export function groupedPhone(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}
