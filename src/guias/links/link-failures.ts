import type { ResolvedLink } from '../../locations/short-links/resolve-map-link.js';

/** Why a map link is given up: what it turned out to be. */
export type EnlaceFalla = Exclude<ResolvedLink['kind'], 'coordinates'>;

/** Their meaning for people. */
export const ENLACE_FALLAS: Record<EnlaceFalla, string> = {
  silent: 'El servicio de mapas no respondió en un día',
  broken: 'El servicio de mapas dice que el enlace no existe',
  place: 'El enlace nombra un lugar, sin coordenadas',
  unsupported: 'El enlace no lleva a un servicio de mapas conocido',
  unreadable: 'El texto no es un enlace de mapa',
};
