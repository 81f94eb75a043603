import { isFiller } from '../../validation/phone.js';
import { DESTINO_ADVERTENCIAS, PHONE_ADVERTENCIAS, type GuiaAdvertencia } from '../guia-advertencia.js';

/** A guide's warnings once it has another phone. */
export function afterNewPhone(advertencias: readonly string[], telefono: string): string[] {
  const others = without(advertencias, PHONE_ADVERTENCIAS);
  return isFiller(telefono) ? [...others, 'telefono_dudoso' satisfies GuiaAdvertencia] : others;
}

/** A guide's warnings once its destination is known. @param isFar whether it is far from the merchant's country. */
export function afterNewDestination(advertencias: readonly string[], isFar: boolean): string[] {
  const others = without(advertencias, DESTINO_ADVERTENCIAS);
  return isFar ? [...others, 'destino_fuera_del_pais' satisfies GuiaAdvertencia] : others;
}

export function without(advertencias: readonly string[], resolved: readonly GuiaAdvertencia[]): string[] {
  return advertencias.filter((advertencia) => !resolved.some((one) => one === advertencia));
}
