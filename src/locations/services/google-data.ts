import { FAR_VIEW, point, PLACE, UNKNOWN_FORM, unreadable, type MapLink } from '../reading.js';
import { readWritten } from '../formats/written-coordinates.js';

/** The last pin is the place; the first may be a matched address. */
const PIN = /!3d([^!]{1,40})!4d([^!]{1,40})/g;

/** A stop of a route: `!2m2!1dLNG!2dLAT`, longitude first, or a pin. */
const STOP = /!2m2!1d([^!]{1,40})!2d([^!]{1,40})|!3d([^!]{1,40})!4d([^!]{1,40})/g;

/** A stop without coordinates in the data: it is in the path, or has only an id. */
const BARE_STOP = /!1m0(?!\d)|!1m1!1s/;

/** The camera of an embedded map: metres across, longitude, latitude. Ignored in other data blocks. */
const CAMERA = /!1d(\d{1,9}(?:\.\d{1,20})?)!2d([^!]{1,40})!3d([^!]{1,40})/;

/** The width of an embedded map at zoom 15. */
const MAX_METRES_ACROSS = 16_000;

/** `!3dLAT!4dLNG` in a data block. */
export function readPin(data: string): MapLink | undefined {
  const pin = [...data.matchAll(PIN)].at(-1);
  return pin && point(pin[1]!, pin[2]!, 'pin');
}

/** Whether a data block names a place, or the last stop of a route, by its id. */
export function hasPlaceId(data: string): boolean {
  return /!1s[^!]/.test(data);
}

/** The destination of a route; undefined if the block does not contain it. */
export function readLastStop(data: string): MapLink | undefined {
  const stop = [...data.matchAll(STOP)].at(-1);
  if (!stop || BARE_STOP.test(data.slice(stop.index + stop[0].length))) return undefined;
  return stop[3] === undefined ? point(stop[2]!, stop[1]!, 'pin') : point(stop[3], stop[4]!, 'pin');
}

/** The point of an embedded map's `pb`: the label of a dropped pin, or else the middle of the view. */
export function readEmbed(pb: string): MapLink {
  // The view of a route is not centred on its end.
  if (pb.includes('!3m2!1d')) return UNKNOWN_FORM;
  const label = /!2z([\w+/=-]{1,400})/.exec(pb)?.[1];
  const pin = label && readWritten(Buffer.from(label, 'base64').toString(), 'pin');
  if (pin) return pin;
  const camera = CAMERA.exec(pb);
  const isNamed = /![12]s[^!]/.test(pb);
  if (!camera) return isNamed ? PLACE : UNKNOWN_FORM;
  const middle = point(camera[3]!, camera[2]!, 'viewport');
  const isFar = middle.kind === 'coordinates' && Number(camera[1]) > MAX_METRES_ACROSS;
  return isFar ? (isNamed ? PLACE : FAR_VIEW) : middle;
}

/** A view in a path, by zoom (`@lat,lng,17z`) or by height in metres (`…,1500m`, `…,3a,75y,90t`). */
export function readViewport(segment: string): MapLink | undefined {
  const camera = /^@([^,]{1,40}),([^,]{1,40}),(\d{1,9}(?:\.\d{1,20})?)([zma])(?:,|$)/.exec(segment);
  if (!camera) return segment.length > 1 && /^@[\d.,-]/.test(segment) ? unreadable('malformed') : undefined;
  const [, lat, lng, distance, unit] = camera;
  const middle = point(lat!, lng!, 'viewport');
  if (middle.kind !== 'coordinates') return middle;
  const isClose = unit === 'z' ? Number(distance) >= 15 && Number(distance) < 100 : Number(distance) <= 2_000;
  return isClose ? middle : FAR_VIEW;
}
