import type { ResolvedLink } from '../../locations/short-links/resolve-map-link.js';
import { isFiller } from '../../validation/phone.js';
import { isFarOutside } from '../../locations/plausibility.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import { LUGARES, type Lugar, type NewGuia } from '../guia-row.js';
import { LEADS_NOWHERE, NO_POINT, linkError, type LinkError } from '../link-errors.js';

/** A new guide with the result of expanding the link of one of its places, or why the link cannot be used. */
export function withLink(
  guia: NewGuia,
  lugar: Lugar,
  link: ResolvedLink,
): { guia: NewGuia } | { error: LinkError } {
  const campo = lugar === 'recogida' ? 'recogida.maps_url' : 'maps_url';
  const settled = { ...guia, enlaces_pendientes: guia.enlaces_pendientes.filter((one) => one !== lugar) };
  switch (link.kind) {
    case 'coordinates':
      return {
        guia: { ...settled, [`${lugar}_lat`]: link.lat, [`${lugar}_lng`]: link.lng },
      };
    case 'place':
      // The destination may be a name; the pickup must be a point.
      return lugar === 'destino' ? { guia: settled } : { error: linkError(campo, 'enlace_sin_coordenadas') };
    case 'unknown':
      return { error: linkError(campo, 'enlace_sin_coordenadas', NO_POINT[link.reason]) };
    case 'broken':
      return { error: linkError(campo, 'enlace_roto') };
    case 'unsupported':
    case 'unreadable':
      return { error: linkError(campo, 'enlace_no_soportado', LEADS_NOWHERE) };
    case 'silent':
      return { guia };
  }
}

/** Warnings about a new guide's places and phone, which are implausible, and no reason to refuse it. */
export function plausibilityWarnings(
  country: string,
  guia: Pick<NewGuia, 'telefono' | 'recogida_lat' | 'recogida_lng' | 'destino_lat' | 'destino_lng'>,
): GuiaAdvertencia[] {
  const places = LUGARES.filter((lugar) => {
    const [lat, lng] = [guia[`${lugar}_lat`], guia[`${lugar}_lng`]];
    return lat !== null && lng !== null && isFarOutside(country, { lat, lng });
  }).map((lugar) => `${lugar}_fuera_del_pais` as const);
  return isFiller(guia.telefono) ? [...places, 'telefono_dudoso'] : places;
}
