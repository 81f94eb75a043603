import type { ResolvedLink } from '../../locations/short-links/resolve-map-link.js';

/** Why a map link is given up: what it turned out to be. */
export type EnlaceFalla = Exclude<ResolvedLink['kind'], 'coordinates'>;
