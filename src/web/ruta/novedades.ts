/* What changed of a guide since this phone last opened its view. */

import type { CampoNuevo, Datos, GuiaGuardada } from './phone-data.js';

/** The fields as a driver reads them. */
const CAMPOS: Readonly<Record<CampoNuevo, string>> = {
  notas: 'notas de la tienda',
  referencia: 'referencia',
  destino: 'punto del mapa',
  telefono: 'teléfono',
  direccion: 'dirección',
  nota: 'nota de quien recibe',
};

const NAMES = Object.keys(CAMPOS) as CampoNuevo[];

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The values of changed fields as the driver last saw them; undefined where nothing differs. */
export function changedSince(fresh: GuiaGuardada, known: GuiaGuardada): GuiaGuardada['antes'] {
  const changed = NAMES.map((campo) => {
    const seen = known.antes && campo in known.antes ? known.antes[campo] : known[campo];
    return [campo, seen] as const;
  }).filter(([campo, seen]) => seen !== undefined && !isSame(seen, fresh[campo]));
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

/** The changed fields that the driver has not seen. */
export const newsOf = ({ antes = {} }: Pick<GuiaGuardada, 'antes'>): CampoNuevo[] =>
  NAMES.filter((campo) => campo in antes);

/** The data once the view of a guide was opened. */
export function seen(datos: Datos, numero: string): Datos {
  const guias = datos.guias.map((guia) => {
    if (guia.guia !== numero) return guia;
    const { antes: _, ...rest } = guia;
    return rest;
  });
  return { ...datos, guias };
}

export const newsText = (campos: readonly CampoNuevo[]): string =>
  campos.map((campo) => CAMPOS[campo]).join(', ');
