import type { MapTiles } from '../../../platform/config/map-tiles.js';
import { inFours } from '../../../guias/guia/guia-digits.js';
import { MapFigure } from '../../kit/place-map.js';
import { counted, grouped } from '../../kit/elements.js';
import { staticMap } from '../../kit/static-map.js';
import type { GroupRow } from './dispatch.queries.js';

interface DispatchMapProps {
  tiles: MapTiles | null;
  /** Most guides first. */
  groups: readonly GroupRow[];
  /** The address of the list with only the guides of an area. */
  linkTo: (mapa: string) => string;
}

/** Where the guides go: each group leads to the list of its guides. */
export function DispatchMap({ groups, ...rest }: DispatchMapProps) {
  const placed = placedIn(groups);
  return (
    <>
      <h2>
        En el mapa (<span data-en-mapa={placed}>{grouped(placed)}</span>)
      </h2>
      {placed === 0 ? (
        <p class="soft">Ninguna de estas guías tiene un lugar en el mapa.</p>
      ) : (
        <GroupMap
          groups={groups}
          label={`Mapa: ${counted(placed, 'guía')} en ${counted(groups.length, 'grupo')}`}
          {...rest}
        />
      )}
    </>
  );
}

/** How many guides stand on the map. */
export const placedIn = (groups: readonly GroupRow[]) => groups.reduce((sum, { guias }) => sum + guias, 0);

function GroupMap({ tiles, groups, linkTo, label }: DispatchMapProps & { label: string }) {
  const map = staticMap([...groups.flatMap(cornersOf), ...groups]);
  const centers = map.points.slice(2 * groups.length);
  return (
    <MapFigure role="group" label={label} map={map} tiles={tiles}>
      {groups.map((group, n) => (
        <Group group={group} at={centers[n]!} link={linkTo(areaText(group))} />
      ))}
    </MapFigure>
  );
}

/** The map shows all of its groups. */
const cornersOf = ({ sur, oeste, norte, este }: GroupRow) => [
  { lat: sur, lng: oeste },
  { lat: norte, lng: este },
];

/** Degrees around a group, so that rounding leaves none out. */
const SLACK = 0.00001;

/** As it stands in an address: south, west, north, east. */
const areaText = ({ sur, oeste, norte, este }: GroupRow): string =>
  [sur - SLACK, oeste - SLACK, norte + SLACK, este + SLACK].map((degrees) => degrees.toFixed(5)).join(',');

/** Of a group's circle: as the square root of its guides, so that its area shows them. */
const radiusOf = (count: number) => Math.min(26, Math.round(9 + 2 * Math.sqrt(count)));

interface GroupProps {
  group: GroupRow;
  at: { left: number; top: number };
  link: string;
}

/** Its name has what the circle shows, for who says what they see. */
function Group({ group: { guias, guia }, at: { left, top }, link }: GroupProps) {
  return (
    <a
      href={link}
      class="group"
      aria-label={guias === 1 ? `1 guía: ver la ${inFours(guia)}` : `Ver estas ${guias} guías`}
    >
      <circle cx={left} cy={top} r={radiusOf(guias)} />
      <text x={left} y={top} dy="0.35em">
        {guias}
      </text>
    </a>
  );
}
