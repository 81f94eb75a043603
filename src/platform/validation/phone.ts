import {
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js';
import { phoneLinkIn } from './phone-links.js';
import { SUBSCRIBER_LENGTHS } from './subscriber-lengths.js';

/** Longest text read as a phone number: E.164 has 15 digits, people add spaces, dashes and brackets. */
export const MAX_PHONE_LENGTH = 40;

/** The form of nearly all numbers. */
const PLAIN = /^[+\d .-]*$/;

/** Characters without a width, which contacts, messages and pages bring along. */
const INVISIBLE = /[\p{Cf}\p{Mn}\p{Me}\u115f\u1160\u3164\uffa0]/gu;

/** Blanks, brackets and raised dots between digits. */
const SEPARATORS = /[\p{Z}\s\u2800()[\]{}·•‧∙⋅・]+/gu;

/** The form that the database accepts. libphonenumber accepts longer numbers in a few countries. */
const E164 = /^\+[1-9]\d{3,14}$/;

/** `00` as people write `+`. From Colombia 005 leads abroad, and `0057 310…` would be a number of Russia. */
const INTERNATIONAL = /^\s*00(?=[\s.-]{0,5}[1-9])/;

/** A second `+`, or the `00` that stands for it, after the country code: `+502 +502 5555 1234`, `+502 00502 5555 1234`. */
const REPEATED_PLUS = /^\s*\+\s*(\d{1,3})(?:[\s.-]{0,5}\+|[\s.-]{1,5}00)\s*\1/;

/**
 * A phone number in E.164, or undefined if the text is none that a subscriber can have. A number without `+` is read as one
 * of `country`; without a country only international form is read.
 */
export function toE164(text: string, country?: CountryCode): string | undefined {
  const isPlain = text.length <= MAX_PHONE_LENGTH && PLAIN.test(text);
  const linked = isPlain ? undefined : phoneLinkIn(text);
  if (linked !== undefined) return toE164(linked, country);
  if (text.length > MAX_PHONE_LENGTH) return undefined;
  const written = isPlain ? text : plain(text);
  if (country !== undefined && INTERNATIONAL.test(written)) {
    const international = toE164(written.replace(INTERNATIONAL, '+'));
    if (international !== undefined) return international;
  }
  const number = parse(written.replace(REPEATED_PLUS, '+$1'), country);
  if (number === undefined) return undefined;
  // Numbers such as 1234 5678 fill a field: they must be assigned, not only possible.
  if (isFilled(number.nationalNumber) && !number.isValid()) return undefined;
  const e164 = hasSubscriberLength(number) ? number.number : withoutRepeatedCode(number);
  return e164 !== undefined && E164.test(e164) ? e164 : undefined;
}

/** Digits of any script or font as ASCII, blanks, brackets and raised dots of any kind as one blank. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(SEPARATORS, ' ')
    .trim();
}

/** The ten digits of each script follow each other; their first has a code that ends in 0 or 6. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  const row = code & ~0xf;
  const zero = /\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6;
  return String(code - zero);
}

function parse(text: string, country: CountryCode | undefined): PhoneNumber | undefined {
  // Not a spread copy: `docs/performance.md`, "Memory", says why.
  const options = country ? { defaultCountry: country, extract: false } : { extract: false };
  const number = parsePhoneNumberFromString(text.trim(), options);
  // E.164 would lose an extension, and "5555 1234, 5555 4321" is parsed as a number with one.
  return number?.ext === undefined ? number : undefined;
}

/** A few services have numbers of no country. */
function hasSubscriberLength(number: PhoneNumber): boolean {
  const lengths = number.country && SUBSCRIBER_LENGTHS[number.country];
  if (lacksArea(number)) return false;
  return number.isPossible() && (!lengths || lengths.includes(number.nationalNumber.length));
}

/** First digits of a country's numbers, behind its code, where none without an area can be as long. */
const AREAS = new Map<string, RegExp>([
  ['54', /^9?(?:11|[23])|^[68]/],
  ['52', /^[2-9]/],
]);

/** Whether a number begins as none of its country does: in Argentina 15 stands before mobile numbers, behind their area. */
const lacksArea = ({ countryCallingCode, nationalNumber }: PhoneNumber): boolean =>
  AREAS.get(countryCallingCode)?.test(nationalNumber) === false;

/** Numbers without their area, behind what stands before mobile numbers, and how they are written with it. */
const WITHOUT_AREA: Partial<Record<CountryCode, [number: RegExp, advice: string]>> = {
  AR: [
    /^(?:54)?9?0?(?:15)?\d{6,8}$/,
    'Falta el código de área: escríbalo con sus 10 dígitos y sin 15, como 11 5123 4567.',
  ],
  MX: [
    /^(?:52)?(?:044|045|01|1)?\d{7,8}$/,
    'Falta la lada: escríbalo con sus 10 dígitos, como 55 5123 4567.',
  ],
  BR: [/^(?:55)?0?\d{8,9}$/, 'Falta el DDD: escríbalo con él, como 11 91234 5678.'],
  CO: [/^(?:57)?\d{7}$/, 'Falta el indicativo: escríbalo con sus 10 dígitos, como 601 234 5678.'],
  DO: [/^1?\d{7}$/, 'Falta el código de área: escríbalo con sus 10 dígitos, como 809 555 1234.'],
};

/** The missing area of a mobile number, as of `15 5123 4567` in Argentina; undefined where it is not its fault. */
export function areaFault(text: string, country: CountryCode | undefined): string | undefined {
  if (text.length > MAX_PHONE_LENGTH || country === undefined) return undefined;
  const [number, advice] = WITHOUT_AREA[country] ?? [];
  const digits = plain(text).replace(/[+ .-]/g, '');
  return number?.test(digits) ? advice : undefined;
}

/**
 * The number behind a country code that stands twice, `+502 502 5555 1234`, or behind what stood before Mexico's mobile numbers
 * (1, 044, 045) until 2019; undefined if no number of the country is left.
 */
function withoutRepeatedCode({ countryCallingCode, nationalNumber }: PhoneNumber): string | undefined {
  const prefixes =
    countryCallingCode === MEXICO
      ? [countryCallingCode, `${MEXICO}1`, '1', '044', '045', '01']
      : [countryCallingCode];
  for (const prefix of prefixes) {
    if (!nationalNumber.startsWith(prefix)) continue;
    const number = parse(`+${countryCallingCode}${nationalNumber.slice(prefix.length)}`, undefined);
    if (number?.isValid() && hasSubscriberLength(number)) return number.number;
  }
  return undefined;
}

const MEXICO = getCountryCallingCode('MX');

/** Between two numbers in one field. */
const BETWEEN_NUMBERS = /[,;/|\n]|\s(?:y|o|u|e|ó|-)\s/iu;

/** Whether a text that is no phone number is two of them. */
export function isTwoPhones(text: string, country?: CountryCode): boolean {
  if (text.length > 2 * MAX_PHONE_LENGTH) return false;
  const parts = text.split(BETWEEN_NUMBERS);
  if (parts.length > 1) return parts.filter((part) => toE164(part, country) !== undefined).length > 1;
  const digits = text.replace(/\D/g, '');
  const half = digits.length / 2;
  return (
    Number.isInteger(half) &&
    [digits.slice(0, half), digits.slice(half)].every((part) => toE164(part, country) !== undefined)
  );
}

/** Whether a number is one that its country assigns, not only as long as one. @param e164 as `toE164` returns it. */
export function isKnownPhone(e164: string): boolean {
  return parsePhoneNumberFromString(e164)?.isValid() ?? false;
}

/** How many of its last digits are looked at first. */
const LAST_DIGITS = 5;

/** Digits of a country code, at most. */
const MAX_COUNTRY_CODE = 3;

const ALL_EQUAL = /^(\d)\1+$/;
const COUNTING = ['01234567890123456789', '98765432109876543210'];

/** Whether a number looks like one that somebody typed to fill a field. @param e164 as `toE164` returns it. */
export function isFiller(e164: string): boolean {
  // Parsing is slow, and the digits behind a country code rule nearly all numbers out.
  if (!isFilled(e164.slice(-LAST_DIGITS)) || !isFilled(e164.slice(1 + MAX_COUNTRY_CODE))) return false;
  return isFilled(parsePhoneNumberFromString(e164)?.nationalNumber ?? e164.slice(1));
}

function isFilled(national: string): boolean {
  return ALL_EQUAL.test(national) || COUNTING.some((digits) => digits.includes(national));
}

/**
 * A number in the groups that people read aloud: `5555 1234` in its own country, `+502 5555 1234` elsewhere.
 * @param e164 as `toE164` returns it. @param country where it is read.
 */
export function groupedPhone(e164: string, country?: string): string {
  const number = parsePhoneNumberFromString(e164);
  if (number?.country !== undefined && number.country === country) return number.formatNational();
  return number?.formatInternational() ?? e164;
}

/** Opens a chat on WhatsApp with a number. */
export const chatLink = (e164: string): string => `https://wa.me/${e164.replace('+', '')}`;
