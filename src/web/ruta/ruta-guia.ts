import { currencySymbol } from '../../guias/guia/local-format.js';
import { amountWith } from '../../guias/guia/grouped-amount.js';
import { groupedPhone } from '../../platform/validation/phone.js';
import type { CarriedRow, RutaRow } from './ruta.queries.js';

/** A guide as the driver's page shows it, and keeps it on the phone. */
export interface GuiaDeRuta extends Omit<RutaRow, 'cod_amount' | 'pais' | 'recogida'> {
  /** As people write the phone where the parcel goes. */
  telefono_escrito: string;
  /** Amount due, exact, `0.00` for nothing; and as people read it, `Q 349.50`. */
  cobrar: string;
  cobrar_escrito: string;
  /** The sign of its currency. */
  simbolo: string;
  recogida: RutaRow['recogida'] & { telefono_escrito: string | null };
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

export function toGuiaDeRuta({ cod_amount, pais, ...guia }: RutaRow): GuiaDeRuta {
  const simbolo = currencySymbol(guia.moneda, pais);
  const { telefono } = guia.recogida;
  return {
    ...guia,
    simbolo,
    telefono_escrito: groupedPhone(guia.telefono, pais),
    cobrar: cod_amount,
    cobrar_escrito: amountWith(simbolo, cod_amount),
    recogida: { ...guia.recogida, telefono_escrito: telefono && groupedPhone(telefono, pais) },
  };
}
