/* The results of reading a pasted text, and the functions that create them. */

export interface Coordinates {
  /** Degrees, −90 to 90. */
  lat: number;
  /** Degrees, −180 to 180. */
  lng: number;
}

/** Where the coordinates were in the text. A `viewport` is the middle of a screen, not a chosen point. */
export type Origin = 'pin' | 'query' | 'path' | 'viewport' | 'plus_code' | 'geohash' | 'text';

/** The meaning of a pasted text. */
export type MapLink =
  | ({ kind: 'coordinates'; origin: Origin } & Coordinates)
  /** A link of a known service that names a place without its coordinates: a name, an address, a place id. */
  | { kind: 'place' }
  /**
   * A link of a known service that shows no place that can be read. `form`: its form is not known; `far`: the view of a
   * whole town; `short_code`: a plus code without its area.
   */
  | { kind: 'unknown'; reason: 'form' | 'far' | 'short_code' }
  /** A short link, which only its service can resolve. `url` (https, exact host) may be requested. */
  | { kind: 'short'; url: string }
  /** Not a link of a known map service. `captcha`: Google has blocked us, possibly for a while. */
  | {
      kind: 'unsupported';
      reason: 'host' | 'path' | 'credentials' | 'port' | 'scheme' | 'wrapper' | 'captcha';
    }
  /** Neither a link nor coordinates, or coordinates out of range. */
  | {
      kind: 'unreadable';
      reason: 'length' | 'text' | 'malformed' | 'out_of_range' | 'ambiguous' | 'short_code';
    };

/** Below this zoom the middle of the view may be kilometres from the intended place. */
const MIN_ZOOM = 15;

/** No map writes more digits. */
const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

export const PLACE: MapLink = { kind: 'place' };

export const UNKNOWN_FORM: MapLink = { kind: 'unknown', reason: 'form' };
export const FAR_VIEW: MapLink = { kind: 'unknown', reason: 'far' };

export function unsupported(reason: Extract<MapLink, { kind: 'unsupported' }>['reason']): MapLink {
  return { kind: 'unsupported', reason };
}

export function unreadable(reason: Extract<MapLink, { kind: 'unreadable' }>['reason']): MapLink {
  return { kind: 'unreadable', reason };
}

/** Refuses a point out of range, and never swaps its axes: a wrong guess loses a parcel. */
export function at(lat: number, lng: number, origin: Origin): MapLink {
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180 || (lat === 0 && lng === 0))
    return unreadable('out_of_range');
  return { kind: 'coordinates', lat, lng, origin };
}

/** Like `at` for decimal degrees as text; any other text is malformed. */
export function point(lat: string, lng: string, origin: Origin): MapLink {
  if (!DEGREES.test(lat) || !DEGREES.test(lng)) return unreadable('malformed');
  return at(Number(lat), Number(lng), origin);
}

/** The middle of a view, which counts as a point only if the view is close or its zoom unknown. */
export function view(lat: string, lng: string, zoom?: string): MapLink {
  return ifClose(point(lat, lng, 'viewport'), zoom);
}

/** Like `view` for a middle that has been read already. */
export function ifClose(middle: MapLink, zoom: string | undefined): MapLink {
  if (middle.kind !== 'coordinates') return middle;
  const isClose = zoom === undefined || (/^\d{1,2}(?:\.\d{1,20})?$/.test(zoom) && Number(zoom) >= MIN_ZOOM);
  return isClose ? { ...middle, origin: 'viewport' } : FAR_VIEW;
}
