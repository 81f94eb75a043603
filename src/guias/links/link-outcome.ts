import type { FieldError } from '../../errors/app-error.js';
import type { ResolvedLink } from '../../locations/short-links/resolve-map-link.js';
import { isFarOutside } from '../../locations/plausibility.js';
import { linkError } from '../dto/crear-guia.dto.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import type { Lugar, NewGuia } from '../guias.queries.js';

/** A new guide with what a short link says of one of its places, or why the link cannot be used. */
export function withLink(
  nueva: NewGuia,
  lugar: Lugar,
  link: ResolvedLink,
): { nueva: NewGuia } | { error: FieldError } {
  const campo = lugar === 'recogida' ? 'recogida.maps_url' : 'maps_url';
  const known = { ...nueva, enlaces_pendientes: nueva.enlaces_pendientes.filter((one) => one !== lugar) };
  switch (link.kind) {
    case 'coordinates':
      return {
        nueva: { ...known, [`${lugar}_lat`]: link.lat, [`${lugar}_lng`]: link.lng },
      };
    case 'place':
      // Where it goes to may be a name; where it starts must be a point.
      return lugar === 'destino' ? { nueva: known } : { error: linkError(campo, 'enlace_sin_coordenadas') };
    case 'broken':
      return { error: linkError(campo, 'enlace_roto') };
    case 'unsupported':
    case 'unreadable':
      return { error: linkError(campo, 'enlace_no_soportado') };
    case 'silent':
      return { nueva };
  }
}

/** What is odd about where a guide starts and goes to; never a reason to refuse it. */
export function plausibilityWarnings(
  country: string,
  guia: Pick<NewGuia, 'recogida_lat' | 'recogida_lng' | 'destino_lat' | 'destino_lng'>,
): GuiaAdvertencia[] {
  return (['recogida', 'destino'] as const)
    .filter((lugar) => {
      const [lat, lng] = [guia[`${lugar}_lat`], guia[`${lugar}_lng`]];
      return lat !== null && lng !== null && isFarOutside(country, { lat, lng });
    })
    .map((lugar) => `${lugar}_fuera_del_pais` as const);
}
