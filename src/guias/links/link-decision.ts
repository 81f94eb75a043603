import { afterNewDestination } from '../guia/advertencia-rules.js';
import type { GuiaColumns, CurrentGuia } from '../changes/guia-changes.queries.js';
import type { GuiaEvento } from '../changes/author.js';
import type { GuiaAdvertencia } from '../guia/guia-advertencia.js';
import { OPEN_ESTADOS } from '../guia/guia-estado.js';
import type { Lugar } from '../guia/guia-row.js';
import type { EnlaceFalla } from './link-failures.js';

/** The link of a place, as it was when the map service was asked. */
export interface AskedLink {
  lugar: Lugar;
  enlace: string;
}

export type LinkOutcome =
  /** Read. `isFar`: the place is far from the merchant's country. */
  | { kind: 'coordinates'; lat: number; lng: number; isFar: boolean }
  /** Given up, or a place without coordinates, which will do as a destination. */
  | { kind: EnlaceFalla }
  /** The map service has not answered for a minute, and is asked again later. */
  | { kind: 'delayed' };

export interface LinkChange {
  columns: GuiaColumns;
  eventos: GuiaEvento[];
}

/**
 * The change of a guide by the outcome of its link; undefined if there is none: the place has another link by now, or waits
 * for none.
 * @param isWaiting whether a message that asks the recipient for the destination has yet to be sent.
 */
export function decideLink(
  guia: CurrentGuia,
  { lugar, enlace }: AskedLink,
  outcome: LinkOutcome,
  isWaiting: boolean,
): LinkChange | undefined {
  if (!guia.enlaces_pendientes.includes(lugar) || guia[`${lugar}_maps_url`] !== enlace) return undefined;
  return lugar === 'recogida' ? decidePickup(guia, outcome) : decideDestination(guia, outcome, isWaiting);
}

function decidePickup(guia: CurrentGuia, outcome: LinkOutcome): LinkChange | undefined {
  if (outcome.kind === 'delayed') return undefined;
  const enlaces_pendientes = withoutLink(guia, 'recogida');
  if (outcome.kind !== 'coordinates') {
    const advertencias = [...guia.advertencias, 'recogida_sin_coordenadas' satisfies GuiaAdvertencia];
    return { columns: { enlaces_pendientes, advertencias }, eventos: [failed('recogida', outcome.kind)] };
  }
  const { lat, lng, isFar } = outcome;
  const advertencias = isFar
    ? [...guia.advertencias, 'recogida_fuera_del_pais' satisfies GuiaAdvertencia]
    : guia.advertencias;
  return {
    columns: { recogida_lat: lat, recogida_lng: lng, enlaces_pendientes, advertencias },
    eventos: [read('recogida')],
  };
}

function decideDestination(
  guia: CurrentGuia,
  outcome: LinkOutcome,
  isWaiting: boolean,
): LinkChange | undefined {
  const { direccion_confirmada, estado } = guia;
  const enlaces_pendientes = withoutLink(guia, 'destino');
  // It counts as confirmed from the link on, unless its recipient was asked meanwhile.
  const confirmed: GuiaEvento[] = direccion_confirmada ? [] : [{ tipo: 'guia.confirmada', actor: 'sistema' }];
  const isToBeAsked = direccion_confirmada && OPEN_ESTADOS.includes(estado);
  const asked: GuiaEvento[] =
    isToBeAsked && !isWaiting ? [{ tipo: 'guia.confirmacion_pedida', actor: 'sistema' }] : [];
  switch (outcome.kind) {
    case 'coordinates': {
      const { lat, lng, isFar } = outcome;
      const advertencias = afterNewDestination(guia.advertencias, isFar);
      return {
        columns: {
          destino_lat: lat,
          destino_lng: lng,
          direccion_confirmada: true,
          enlaces_pendientes,
          advertencias,
        },
        eventos: [read('destino'), ...confirmed],
      };
    }
    case 'place': {
      const advertencias = afterNewDestination(guia.advertencias, false);
      return {
        columns: { direccion_confirmada: true, enlaces_pendientes, advertencias },
        eventos: confirmed,
      };
    }
    case 'delayed':
      return isToBeAsked ? { columns: { direccion_confirmada: false }, eventos: asked } : undefined;
    default: {
      const advertencias = [...guia.advertencias, 'destino_sin_coordenadas' satisfies GuiaAdvertencia];
      return {
        columns: { direccion_confirmada: false, enlaces_pendientes, advertencias },
        eventos: [failed('destino', outcome.kind), ...asked],
      };
    }
  }
}

const withoutLink = ({ enlaces_pendientes }: CurrentGuia, lugar: Lugar) =>
  enlaces_pendientes.filter((one) => one !== lugar);

const read = (lugar: Lugar): GuiaEvento => ({
  tipo: 'guia.enlace_leido',
  actor: 'sistema',
  datos: { lugar },
});

const failed = (lugar: Lugar, motivo: EnlaceFalla): GuiaEvento => ({
  tipo: 'guia.enlace_fallido',
  actor: 'sistema',
  datos: { lugar, motivo },
});
