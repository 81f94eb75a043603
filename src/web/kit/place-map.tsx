import type { ComponentChildren } from 'preact';
import type { Coordinates } from '../../locations/reading.js';
import type { MapTiles } from '../../platform/config/map-tiles.js';
import { HEIGHT, staticMap, tileUrl, WIDTH, type StaticMap } from './static-map.js';

interface PlaceMapProps {
  /** The place in words, for screen readers. */
  label: string;
  tiles: MapTiles | null;
  /** The destination. */
  at: Coordinates;
  /** Where it was tried or delivered; null where nobody said. */
  tried: Coordinates | null;
}

/** A small map with a pin, and a dot where the courier was. */
export function PlaceMap({ label, tiles, at, tried }: PlaceMapProps) {
  const map = staticMap(tried ? [at, tried] : [at]);
  const [pin, dot] = map.points;
  return (
    <MapFigure role="img" label={label} map={map} tiles={tiles}>
      {dot && (
        <>
          <path class="leg" d={`M${dot.left} ${dot.top} ${pin!.left} ${pin!.top}`} />
          <circle class="tried" cx={dot.left} cy={dot.top} r="10" />
        </>
      )}
      <g transform={`translate(${pin!.left} ${pin!.top})`}>
        <path class="pin" d="M0 0c13-14.5 20-25 20-34a20 20 0 0 0-40 0c0 9 7 19.5 20 34Z" />
        <circle class="eye" cy="-34" r="7.5" />
      </g>
    </MapFigure>
  );
}

interface DestinationMapProps {
  tiles: MapTiles | null;
  destino: { lat: number | null; lng: number | null };
  /** The courier's last report, if it says where. */
  move: { lat: number | null; lng: number | null } | undefined;
}

/** The map of a guide's destination, and of where the courier was; none without a destination. */
export function DestinationMap({ tiles, destino, move }: DestinationMapProps) {
  const at = pointOf(destino);
  const tried = pointOf(move);
  const label = `Mapa: el destino${tried ? ', y dónde estaba el mensajero' : ''}`;
  return at && <PlaceMap label={label} tiles={tiles} at={at} tried={tried} />;
}

function pointOf(place: DestinationMapProps['move']): Coordinates | null {
  const { lat = null, lng = null } = place ?? {};
  return lat === null || lng === null ? null : { lat, lng };
}

interface MapFigureProps {
  /** `group` where its marks are links. */
  role: 'img' | 'group';
  label: string;
  map: StaticMap;
  tiles: MapTiles | null;
  /** Its marks. */
  children: ComponentChildren;
}

/** A map on its tiles, with their credit, and a sentence where they do not load. */
export function MapFigure({ role, label, map, tiles, children }: MapFigureProps) {
  return (
    <figure class="map">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="xMidYMid slice"
        role={role}
        aria-label={label}
      >
        <Ground map={map} tiles={tiles} />
        {children}
      </svg>
      {/* Under the tiles, which cover it. */}
      <p aria-hidden="true">Sin las calles, el mapa es solo una cuadrícula, con el norte arriba.</p>
      {tiles && tiles.streets.attribution !== '' && (
        <figcaption>
          <Credit html={tiles.streets.attribution} />
        </figcaption>
      )}
    </figure>
  );
}

/** The tiles of a map. */
function Ground({ map, tiles }: { map: StaticMap; tiles: MapTiles | null }) {
  if (!tiles) return null;
  return map.tiles.map((tile) => (
    // Two pixels more than a tile has: no seams between them where the map is scaled.
    <foreignObject x={tile.left} y={tile.top} width="258" height="258">
      <img
        src={tileUrl(tiles.streets.url, tile)}
        // Its size is in the stylesheet, as limits: with a width, Chromium draws the icon of a broken image.
        alt=""
        // Tile services require a referrer.
        referrerpolicy="origin"
        loading="lazy"
      />
    </foreignObject>
  ));
}

/** The credit of the tiles: texts and links; any other markup is shown as it is written. */
function Credit({ html }: { html: string }) {
  const parts = html.split(/<a href="(https?:[^"<>]+)">([^<>]*)<\/a>/);
  return parts.map((part, n) => {
    if (n % 3 === 0) return part;
    return n % 3 === 1 ? <a href={part}>{parts[n + 1]}</a> : null;
  });
}
