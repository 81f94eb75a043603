import type { ResolvedLink } from '../../locations/short-links/resolve-map-link.js';

/** Why a map link is given up. */
export type EnlaceFalla = Exclude<ResolvedLink['kind'], 'coordinates'>;

/** For support. */
export const ENLACE_FALLAS: Readonly<Record<EnlaceFalla, string>> = {
  silent: 'El servicio de mapas no respondió en un día',
  broken: 'El servicio de mapas dice que el enlace no existe',
  place: 'El enlace nombra un lugar, sin coordenadas',
  unsupported: 'El enlace no lleva a un servicio de mapas conocido',
  unknown: 'El enlace abre un mapa, pero no muestra un lugar',
  unreadable: 'El texto no es un enlace de mapa',
};
