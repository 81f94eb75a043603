import { readAngles } from './angles.js';
import { readPlusCode } from './plus-code.js';
import { point, unreadable, type MapLink, type Origin } from '../reading.js';

/** Characters; any pair of coordinates is shorter. */
const MAX_LENGTH = 300;

const PAIR = /^([+-]?\d{1,3}(?:\.\d{1,20})?)\s{0,5}[,;]\s{0,5}([+-]?\d{1,3}(?:\.\d{1,20})?)$/;

/** Without a comma both need decimals: `12 14` may be two street numbers. */
const BLANK_PAIR = /^([+-]?\d{1,3}\.\d{1,20})\s{1,5}([+-]?\d{1,3}\.\d{1,20})$/;

/** `14,6407; -90,5133`, `14,6407, -90,5133`, `14,6407 , -90,5133`. A comma without a blank would leave the end of the first number ambiguous. */
const COMMA_DECIMALS =
  /^([+-]?\d{1,3}),(\d{3,20})(?:\s{0,5};\s{0,5}|,\s{1,5}|\s{1,5}(?:,\s{0,5})?)([+-]?\d{1,3}),(\d{3,20})$/;

/** A pair with something glued on: `14.6407,-90.5133,17z`, `14.6407,-90.5133*`, `14.6407,-90.5133 Casa`. */
const GLUED_PAIR =
  /^([+-]?\d{1,3}\.\d{3,20})\s{0,5}[,;]\s{0,5}([+-]?\d{1,3}\.\d{3,20})(?:,\d{1,2}(?:\.\d{1,2})?z|(?!\d|[.,;°º˚'"′″]|\s{0,5}(?:[nsewo](?![a-záéíóúñ])|[-+]?\d)))/i;

/** Reads decimal degrees, decimal commas, degrees with minutes and seconds, or a full plus code. */
export function readWritten(text: string, origin: Origin): MapLink | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const written = text.replace(/[−–]/g, '-').trim();
  const pair = PAIR.exec(written) ?? BLANK_PAIR.exec(written);
  if (pair) return point(pair[1]!, pair[2]!, origin);
  const commas = COMMA_DECIMALS.exec(written);
  if (commas) return point(`${commas[1]}.${commas[2]}`, `${commas[3]}.${commas[4]}`, origin);
  return readAngles(written, origin) ?? readPlusCode(written);
}

/** Like `readWritten` for a whole pasted text, where `14,64` may be one number with a decimal comma. */
export function readPlainText(text: string): MapLink | undefined {
  const inside = /^\(([^()]{1,100})\)$/.exec(text)?.[1] ?? text;
  if (/^\d{1,3},\d{1,3}$/.test(inside)) return undefined;
  return readWritten(withoutLabel(inside), 'text') ?? readLabelled(inside);
}

/** Words for the axes, and for what stands before both; as many characters as people write. */
const AXIS_WORDS =
  /(?<!\p{L})(?:lat(?:itude?)?|lng|lon|long|longitude?|coordenadas?|coords?|gps|ubicaci[oó]n)(?!\p{L})\s{0,3}["']?\s{0,3}[.:=]?\s{0,3}/giu;
const LATITUDE_FIRST = /(?<!\p{L})lat.{1,60}(?<!\p{L})(?:lng|lon)/isu;

/** Angles behind the names of their axes, `Lat 14°38'26.5"N Long 90°30'47.9"W`, the latitude first. */
function readLabelled(text: string): MapLink | undefined {
  if (text.length > MAX_LENGTH || !/[°º˚]/.test(text)) return undefined;
  if (/(?<!\p{L})l(?:ng|on)/iu.test(text) && !LATITUDE_FIRST.test(text) && !/[nsewo]\s*$/i.test(text))
    return undefined;
  const bare = text
    .replace(AXIS_WORDS, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[;|]\s*$/, '')
    .trim();
  return bare === text ? undefined : readWritten(bare, 'text');
}

/** Reads coordinates with a name: `14.6,-90.5(Casa)`, `loc:14.6,-90.5`, `Casa@14.6,-90.5`. Undefined for a name. */
export function readValue(text: string, origin: Origin): MapLink | undefined {
  const value = text.trim().replace(/^loc:/i, '');
  const written = withoutLabel(value);
  // An unencoded `+` of a plus code is decoded as a blank.
  const code = written.replace(/^([2-9CFGHJMPQRVWX]{8}) (?=[2-9CFGHJMPQRVWX]{2})/i, '$1+');
  const found = readWritten(code, origin);
  if (found) return found;
  const glued = GLUED_PAIR.exec(value);
  if (glued) return point(glued[1]!, glued[2]!, origin);
  if (isBroken(written)) return unreadable('malformed');
  const sign = value.lastIndexOf('@');
  return sign < 0 ? undefined : readWritten(withoutLabel(value.slice(sign + 1)), origin);
}

/** `14.6,-90.5 (Casa)` without its label or the block of data that some apps append. */
function withoutLabel(text: string): string {
  const label = text.search(/\(|\/data=/);
  return label > 0 ? text.slice(0, label).trimEnd() : text;
}

/** Whether a text was meant as coordinates: numbers with commas, or a program's text for a missing number. */
function isBroken(value: string): boolean {
  const isNumbers = /^[\d\s.,;+-]+$/.test(value) && /[,;]|\d\.\d/.test(value);
  return isNumbers || /^[-+]?(?:nan|null|undefined|infinity)\s{0,5},/i.test(value);
}
