import { isFarOutside } from '../../locations/plausibility.js';
import { isFiller } from '../../platform/validation/phone.js';
import {
  DESTINO_ADVERTENCIAS,
  PHONE_ADVERTENCIAS,
  type GuiaAdvertencia,
  type MUNICIPIO_DESCONOCIDO,
  type NewGuiaAdvertencia,
} from './guia-advertencia.js';
import { LUGARES, type NewGuia } from './guia-row.js';

/** The warnings of a new guide: its places or phone are implausible, which is no reason to refuse it. */
export function advertenciasOfNewGuia(
  country: string,
  guia: Pick<NewGuia, 'telefono' | 'recogida_lat' | 'recogida_lng' | 'destino_lat' | 'destino_lng'>,
): Exclude<NewGuiaAdvertencia, typeof MUNICIPIO_DESCONOCIDO>[] {
  const places = LUGARES.filter((lugar) => {
    const [lat, lng] = [guia[`${lugar}_lat`], guia[`${lugar}_lng`]];
    return lat !== null && lng !== null && isFarOutside(country, { lat, lng });
  }).map((lugar) => `${lugar}_fuera_del_pais` as const);
  return isFiller(guia.telefono) ? [...places, 'telefono_dudoso'] : places;
}

/** A guide's warnings once it has another phone. */
export function afterNewPhone(advertencias: readonly string[], telefono: string): string[] {
  const others = without(advertencias, PHONE_ADVERTENCIAS);
  return isFiller(telefono) ? [...others, 'telefono_dudoso' satisfies GuiaAdvertencia] : others;
}

/**
 * A guide's warnings once its destination is known.
 * @param isFar whether it is far from the merchant's country. @param isImprecise whether it may be far from the door.
 */
export function afterNewDestination(
  advertencias: readonly string[],
  isFar: boolean,
  isImprecise = false,
): string[] {
  const found: GuiaAdvertencia[] = [];
  if (isFar) found.push('destino_fuera_del_pais');
  if (isImprecise) found.push('destino_impreciso');
  return [...without(advertencias, DESTINO_ADVERTENCIAS), ...found];
}

/** A guide's warnings once it has another pickup point. @param isFar as of a destination. */
export function afterNewPickup(advertencias: readonly string[], isFar: boolean): string[] {
  const others = without(advertencias, ['recogida_sin_coordenadas', 'recogida_fuera_del_pais']);
  return isFar ? [...others, 'recogida_fuera_del_pais' satisfies GuiaAdvertencia] : others;
}

/** A guide's warnings once its destination was taken away, which the recipient is asked for. */
export function afterClearedDestination(advertencias: readonly string[]): string[] {
  return without(advertencias, [
    'destino_por_revisar',
    'destino_fuera_del_pais',
    'destino_sin_coordenadas',
    'destino_impreciso',
  ]);
}

export function without(advertencias: readonly string[], resolved: readonly GuiaAdvertencia[]): string[] {
  return advertencias.filter((advertencia) => !resolved.some((one) => one === advertencia));
}
