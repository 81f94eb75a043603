/** Metres; the mean radius of the Earth. */
const EARTH_RADIUS_M = 6_371_008.8;

/** SQL of a point's coordinates in degrees. */
interface SqlPoint {
  lat: string;
  lng: string;
}

/** SQL of the distance between two points over the Earth's surface (haversine) in whole metres; null if one is unknown. */
export function metresBetween(a: SqlPoint, b: SqlPoint): string {
  const haversine = `power(sind((${b.lat} - ${a.lat}) / 2), 2)
    + cosd(${a.lat}) * cosd(${b.lat}) * power(sind((${b.lng} - ${a.lng}) / 2), 2)`;
  // `asin` refuses more than 1, which rounding makes of points on opposite sides of the Earth. `least` ignores null.
  return `round(2 * ${EARTH_RADIUS_M} * asin(sqrt(case when ${haversine} > 1 then 1 else ${haversine} end)))::integer`;
}
