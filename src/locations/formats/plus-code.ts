import { at, type MapLink } from '../reading.js';

const ALPHABET = '23456789CFGHJMPQRVWX';

/**
 * A full code of ten digits (14 m) or more. Shorter codes need a reference place, or are kilometres wide.
 * The text after a blank or comma is a name for people.
 */
const FULL_CODE = /^([2-9C][2-9CFGHJMPQRV][2-9CFGHJMPQRVWX]{6})\+([2-9CFGHJMPQRVWX]{2,7})(?=$|[\s,]|%20)/i;

/** A code without its first four digits, or a wider one; an unencoded `+` may have been decoded as a blank. */
const SHORT_CODE =
  /^(?=[\d\s]{0,7}[CFGHJMPQRVWX])(?:[2-9CFGHJMPQRVWX]{2}){1,3}[+ ][2-9CFGHJMPQRVWX]{2,7}(?=$|[\s,]|%20)/i;

/** Up to fifteen digits: five pairs, then one digit for each step in a grid of 5 rows by 4 columns. */
const PAIRS = 5;
const ROWS = 5;
const COLUMNS = 4;
const LAT_UNITS = 8_000 * ROWS ** 5;
const LNG_UNITS = 8_000 * COLUMNS ** 5;

/** Whether a text starts with a plus code that needs a reference place: its area is missing. */
export function isShortPlusCode(text: string): boolean {
  return SHORT_CODE.test(text.trim());
}

/** The middle of the area of a full Open Location Code at the start of the text. */
export function readPlusCode(text: string): MapLink | undefined {
  const code = FULL_CODE.exec(text);
  if (!code) return undefined;
  const digits = [...(code[1]! + code[2]!).toUpperCase()].map((digit) => ALPHABET.indexOf(digit));
  // Integers, in units of the finest grid, so that nothing is rounded.
  let [lat, lng, height, width] = [0, 0, LAT_UNITS * 400, LNG_UNITS * 400];
  for (const [index, digit] of digits.entries()) {
    if (index < 2 * PAIRS) {
      if (index % 2 === 0) lat += digit * (height /= 20);
      else lng += digit * (width /= 20);
    } else {
      lat += Math.floor(digit / COLUMNS) * (height /= ROWS);
      lng += (digit % COLUMNS) * (width /= COLUMNS);
    }
  }
  return at(
    (lat + height / 2 - 90 * LAT_UNITS) / LAT_UNITS,
    (lng + width / 2 - 180 * LNG_UNITS) / LNG_UNITS,
    'plus_code',
  );
}
