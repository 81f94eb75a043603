import { currencySymbol } from '../../guias/guia/local-format.js';
import { groupedAmount } from '../../guias/guia/grouped-amount.js';
import { groupedPhone } from '../../platform/validation/phone.js';
import type { CarriedRow, RutaRow } from './ruta.queries.js';

/** A place as a map finds it; null where it is unknown. */
interface Punto {
  lat: number | null;
  lng: number | null;
  maps_url: string | null;
}

/** A guide as the driver's page shows it, and keeps it on the phone. */
export interface GuiaDeRuta extends Omit<
  RutaRow,
  | 'cod_amount'
  | 'destino_lat'
  | 'destino_lng'
  | 'destino_maps_url'
  | 'recogida_lat'
  | 'recogida_lng'
  | 'recogida_maps_url'
  | 'recogida_nombre'
  | 'recogida_direccion'
  | 'telefono_contacto'
  | 'pais'
> {
  /** As people write the phone where the parcel goes. */
  telefono_escrito: string;
  /** Amount due, exact, `0.00` for nothing; and as people read it, `Q 349.50`. */
  cobrar: string;
  cobrar_escrito: string;
  /** The sign of its currency. */
  simbolo: string;
  destino: Punto;
  /** Where the parcel is picked up, and the phone by which the merchant is reached. */
  recogida: Punto & {
    nombre: string | null;
    direccion: string | null;
    telefono: string | null;
    telefono_escrito: string | null;
  };
}

/** Cash of one currency; `monto` is exact. */
export interface LlevadoDeRuta {
  moneda: string;
  simbolo: string;
  monto: string;
}

export function toLlevadoDeRuta({ pais, ...llevado }: CarriedRow): LlevadoDeRuta {
  return { ...llevado, simbolo: currencySymbol(llevado.moneda, pais) };
}

export function toGuiaDeRuta({
  cod_amount,
  destino_lat,
  destino_lng,
  destino_maps_url,
  recogida_lat,
  recogida_lng,
  recogida_maps_url,
  recogida_nombre,
  recogida_direccion,
  telefono_contacto,
  pais,
  ...guia
}: RutaRow): GuiaDeRuta {
  const simbolo = currencySymbol(guia.moneda, pais);
  return {
    ...guia,
    simbolo,
    telefono_escrito: groupedPhone(guia.telefono, pais),
    cobrar: cod_amount,
    cobrar_escrito: `${simbolo}\u00a0${groupedAmount(cod_amount)}`,
    destino: { lat: destino_lat, lng: destino_lng, maps_url: destino_maps_url },
    recogida: {
      lat: recogida_lat,
      lng: recogida_lng,
      maps_url: recogida_maps_url,
      nombre: recogida_nombre,
      direccion: recogida_direccion,
      telefono: telefono_contacto,
      telefono_escrito: telefono_contacto && groupedPhone(telefono_contacto, pais),
    },
  };
}
