/** What a pasted text can turn out to be, and the few ways of saying so. */

export interface Coordinates {
  /** Degrees, −90 to 90. */
  lat: number;
  /** Degrees, −180 to 180. */
  lng: number;
}

/** Where in the text the coordinates stood. A viewport is the middle of what a screen showed, not a chosen point. */
export type Origin = 'pin' | 'query' | 'path' | 'viewport' | 'plus_code' | 'geohash' | 'text';

export type MapLink =
  /** A place with coordinates, and where in the text they stood. */
  | ({ kind: 'coordinates'; origin: Origin } & Coordinates)
  /** A link of a known service that certainly has no coordinates: a name, a place id, a far-off view. */
  | { kind: 'place' }
  /** A short link: only its service knows what it stands for. `url` (https, exact host) is what may be asked. */
  | { kind: 'short'; url: string }
  /** A link of something that is not a known map service. `captcha`: Google asks who we are; it may pass. */
  | {
      kind: 'unsupported';
      reason: 'host' | 'path' | 'credentials' | 'port' | 'scheme' | 'wrapper' | 'captcha';
    }
  /** Neither a link nor coordinates, or coordinates that do not exist. */
  | { kind: 'unreadable'; reason: 'length' | 'text' | 'malformed' | 'out_of_range' | 'ambiguous' };

/** Below this zoom the middle of the view may be kilometres from what the person means. */
const MIN_ZOOM = 15;

/** More digits than any map writes are no number. */
const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

export const PLACE: MapLink = { kind: 'place' };

export function unsupported(reason: Extract<MapLink, { kind: 'unsupported' }>['reason']): MapLink {
  return { kind: 'unsupported', reason };
}

export function unreadable(reason: Extract<MapLink, { kind: 'unreadable' }>['reason']): MapLink {
  return { kind: 'unreadable', reason };
}

/** Out of range is refused, never mended by swapping: a wrong pin is a lost parcel. */
export function at(lat: number, lng: number, origin: Origin): MapLink {
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180 || (lat === 0 && lng === 0))
    return unreadable('out_of_range');
  return { kind: 'coordinates', lat, lng, origin };
}

/** The same for decimal degrees as they are written; anything else is malformed. */
export function point(lat: string, lng: string, origin: Origin): MapLink {
  if (!DEGREES.test(lat) || !DEGREES.test(lng)) return unreadable('malformed');
  return at(Number(lat), Number(lng), origin);
}

/** The middle of a view: a place to go to only when the view is close enough. A link without a zoom is. */
export function view(lat: string, lng: string, zoom?: string): MapLink {
  return ifClose(point(lat, lng, 'viewport'), zoom);
}

/** The same for a middle that is read already. */
export function ifClose(middle: MapLink, zoom: string | undefined): MapLink {
  if (middle.kind !== 'coordinates') return middle;
  const isClose = zoom === undefined || (/^\d{1,2}(?:\.\d{1,20})?$/.test(zoom) && Number(zoom) >= MIN_ZOOM);
  return isClose ? { ...middle, origin: 'viewport' } : PLACE;
}
