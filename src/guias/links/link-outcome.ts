import type { ResolvedLink } from '../../locations/short-links/resolve-map-link.js';
import type { Lugar, NewGuia } from '../guia/guia-row.js';
import { LEADS_NOWHERE, NO_POINT, linkError, type LinkError } from '../guia/link-errors.js';

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
