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
  if (link.kind === 'silent') return { guia };
  if (link.kind === 'coordinates')
    return { guia: { ...settled, [`${lugar}_lat`]: link.lat, [`${lugar}_lng`]: link.lng } };
  // The destination may be a name; the pickup must be a point.
  if (link.kind === 'place' && lugar === 'destino') return { guia: settled };
  return { error: linkWithoutPoint(link, campo) };
}

/** Why a link has no point. @param campo the request's name of its field. */
export function linkWithoutPoint(
  link: Exclude<ResolvedLink, { kind: 'silent' | 'coordinates' }>,
  campo: string,
): LinkError {
  switch (link.kind) {
    case 'place':
      return linkError(campo, 'enlace_sin_coordenadas');
    case 'unknown':
      return linkError(campo, 'enlace_sin_coordenadas', NO_POINT[link.reason]);
    case 'broken':
      return linkError(campo, 'enlace_roto');
    case 'unsupported':
    case 'unreadable':
      return linkError(campo, 'enlace_no_soportado', LEADS_NOWHERE);
  }
}
