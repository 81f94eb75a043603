import { at, unreadable, type MapLink, type Origin } from '../reading.js';

/** A number; a mark of degrees, minutes or seconds; a separator; a compass point in Spanish or English. */
const TOKEN =
  /\s{0,5}(?:([+-]?\d{1,3}(?:\.\d{1,20})?)(?![\d.])|([°º˚])|(["″”“]|['′’‘´`]{2})|(['′’‘´`])|([,;])|(norte|north|n|sur|south|s|este|east|e|oeste|west|o|w)(?![a-záéíóúñ]))/iy;

/** Without a mark of degrees, `4,90` may also end one number and begin the next. */
const DECIMAL_COMMA = /(?<=\d),(?=\d)/g;
const LONG_DECIMALS = /(?<=\d),(?=\d{3})/g;

/** Characters; any two angles are shorter. */
const MAX_LENGTH = 120;

interface Angle {
  /** Compass point: n, s, e, w, o. */
  letter?: string;
  isLetterFirst: boolean;
  /** Degrees, minutes, seconds, as written. */
  parts: string[];
  /** How many of `parts` have a mark. */
  marked: number;
  isClosed: boolean;
}

/**
 * Two angles: `14°38'26.6"N 90°30'47.0"O`, `N 14.6407, W 90.5133`, `14 38.443, -90 30.783`, `14 38 26 N 90 30 47 W`.
 * Undefined for any other text, plain decimal pairs included.
 */
export function readAngles(text: string, origin: Origin): MapLink | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const angles = parse(text.replace(/[°º˚]/.test(text) ? DECIMAL_COMMA : LONG_DECIMALS, '.'));
  if (angles?.length !== 2) return undefined;
  const [first, second] = angles as [Angle, Angle];
  const isFineEnough = ({ letter, marked, parts }: Angle) =>
    marked > 0 || parts.at(-1)!.includes('.') || (letter !== undefined && parts.length === 3);
  if (!isFineEnough(first) || !isFineEnough(second)) return undefined;
  // The 10 of "zona 10 14.6407, -90.5133" is no degree: minutes without a mark stand on both axes.
  if (first.parts.length !== second.parts.length && (hasUnmarked(first) || hasUnmarked(second)))
    return undefined;
  const axes = [axisOf(first), axisOf(second)].join();
  const [lat, lng] = [degrees(first), degrees(second)];
  if (axes !== ',' && axes !== 'lat,lng' && axes !== 'lng,lat') return undefined;
  if (lat === undefined || lng === undefined) return unreadable('malformed');
  return axes === 'lng,lat' ? at(lng, lat, origin) : at(lat, lng, origin);
}

function parse(text: string): Angle[] | undefined {
  const angles: Angle[] = [];
  let isSeparated = false;
  let current = open(angles);
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (!token) {
      if (text.slice(start).trim() !== '') return undefined;
      break;
    }
    const [, number, degree, second, minute, separator, letter] = token;
    if (number !== undefined) {
      if (!continues(current, number)) current = open(angles);
      current.parts.push(number);
    } else if (letter !== undefined) {
      if (current.isClosed || (current.letter && current.parts.length > 0)) current = open(angles);
      if (current.letter) return undefined;
      current.letter = letter[0]!.toLowerCase();
      current.isLetterFirst = current.parts.length === 0;
      current.isClosed = !current.isLetterFirst;
    } else if (separator !== undefined) {
      if (isSeparated || current.parts.length === 0) return undefined;
      isSeparated = current.isClosed = true;
    } else {
      const unit = degree ? 1 : minute ? 2 : second ? 3 : 0;
      if (current.isClosed || unit !== current.parts.length || unit <= current.marked) return undefined;
      current.marked = unit;
    }
    if (angles.length > 2) return undefined;
  }
  const isDivided = isSeparated || angles.every(({ letter, marked }) => letter !== undefined || marked > 0);
  const isMoreThanDecimals = angles.some(
    ({ letter, marked, parts }) => letter ?? (marked || parts.length > 1),
  );
  return isDivided && isMoreThanDecimals && angles.every(({ parts }) => parts.length > 0)
    ? angles
    : undefined;
}

function open(angles: Angle[]): Angle {
  const angle: Angle = { parts: [], marked: 0, isClosed: false, isLetterFirst: false };
  angles.push(angle);
  return angle;
}

/** Minutes follow whole degrees, seconds whole minutes. A sign or an earlier fraction starts a new angle. */
function continues({ parts, marked, isClosed }: Angle, number: string): boolean {
  if (isClosed) return false;
  if (parts.length === 0) return true;
  const isSigned = number.startsWith('-') || number.startsWith('+');
  const isNext = marked === 0 || marked === parts.length;
  return !isSigned && isNext && parts.length < 3 && !parts.at(-1)!.includes('.');
}

function hasUnmarked({ marked, parts }: Angle): boolean {
  return parts.length > 1 && marked === 0;
}

function axisOf({ letter }: Angle): 'lat' | 'lng' | undefined {
  return letter === undefined ? undefined : letter === 'n' || letter === 's' ? 'lat' : 'lng';
}

/** Undefined for 60 minutes or seconds or more, and if sign and letter contradict each other. */
function degrees({ letter, isLetterFirst, parts }: Angle): number | undefined {
  const [whole, minutes = 0, seconds = 0] = parts.map((part) => Math.abs(Number(part)));
  if (minutes >= 60 || seconds >= 60) return undefined;
  const isNegative = parts[0]!.startsWith('-');
  const isSouthOrWest = letter === 's' || letter === 'w' || letter === 'o';
  // The letter names an axis in "N −14.6", and a side of it in "14.6 S"; "S −14.6" is ambiguous.
  if (isNegative && letter !== undefined && (isSouthOrWest || !isLetterFirst)) return undefined;
  const value = whole! + minutes / 60 + seconds / 3_600;
  return isNegative || isSouthOrWest ? -value : value;
}
