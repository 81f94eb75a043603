import type { MapTiles } from '../../../config/map-tiles.js';
import { inFours } from '../../../guias/guia-digits.js';
import { Ground, GroundNotes } from '../../kit/place-map.js';
import { grouped } from '../../kit/elements.js';
import { HEIGHT, staticMap, WIDTH } from '../../kit/static-map.js';
import { areaText, clustersOf, type Cluster, type Placed } from './clusters.js';

interface DispatchMapProps {
  tiles: MapTiles | null;
  guias: Placed[];
  /** The address of the list with only the guides of an area. */
  linkTo: (mapa: string) => string;
}

/** Where the guides go: each cluster leads to the list of its guides. */
export function DispatchMap({ tiles, guias, linkTo }: DispatchMapProps) {
  if (guias.length === 0) return <p class="muted">Ninguna de estas guías tiene un lugar en el mapa.</p>;
  const map = staticMap(guias);
  const clusters = clustersOf(guias, map);
  return (
    <figure class="map">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="xMidYMid slice"
        role="group"
        aria-label={`Mapa: ${countText(guias.length, 'guía')} en ${countText(clusters.length, 'grupo')}`}
      >
        <Ground map={map} tiles={tiles} />
        {clusters.map((cluster) => (
          <Group cluster={cluster} link={linkTo(areaText(cluster.area))} />
        ))}
      </svg>
      <GroundNotes tiles={tiles} />
    </figure>
  );
}

const countText = (count: number, thing: string) => `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;

/** Of a cluster's circle: as the square root of its guides, so that its area shows them. */
const radiusOf = (count: number) => Math.min(26, Math.round(9 + 2 * Math.sqrt(count)));

/** Its name has what the circle shows, for who says what they see. */
function Group({ cluster: { left, top, guias }, link }: { cluster: Cluster; link: string }) {
  const count = guias.length;
  return (
    <a
      href={link}
      class="group"
      aria-label={count === 1 ? `1 guía: ver la ${inFours(guias[0]!)}` : `Ver estas ${count} guías`}
    >
      <circle cx={left} cy={top} r={radiusOf(count)} />
      <text x={left} y={top} dy="0.35em">
        {count}
      </text>
    </a>
  );
}
