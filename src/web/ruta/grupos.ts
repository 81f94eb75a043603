/* What a driver picks up, or takes out, at once. */

import type { GuiaMostrada } from './phone-data.js';
import { isPickup } from './model.js';

/** Guides that one tap moves. */
export interface Grupo {
  /** Name in the address behind `#`; it says nothing of the place, since a browser keeps addresses. */
  clave: string;
  accion: 'recogido' | 'en_ruta';
  titulo: string;
  direccion: string | null;
  comercio: string;
  guias: GuiaMostrada[];
}

/** The group of the parcels in hand. */
const IN_HAND = 'salir';

/** A short number of a text (FNV-1a). */
function digest(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01_00_01_93);
  return (hash >>> 0).toString(36);
}

/** Degrees of about ten metres: the same door, found twice. */
const near = (degrees: number | null) => degrees?.toFixed(4) ?? null;

/** Names the pickup point of a guide. */
function pointOf({ comercio, recogida: { nombre, direccion, lat, lng, maps_url } }: GuiaMostrada): string {
  const place = lat === null ? [maps_url] : [near(lat), near(lng)];
  return `recoger-${digest(JSON.stringify([comercio, nombre, direccion, ...place]))}`;
}

/** One group for each pickup point, then one of what is in hand; none is empty. */
export function gruposOf(guias: readonly GuiaMostrada[]): Grupo[] {
  const grupos = new Map<string, Grupo>();
  const held: GuiaMostrada[] = [];
  for (const guia of guias) {
    if (guia.estado === 'recogido') held.push(guia);
    if (!isPickup(guia)) continue;
    const clave = pointOf(guia);
    const { comercio, recogida } = guia;
    const { nombre, direccion } = recogida;
    const made: Grupo = {
      ...{ clave, accion: 'recogido', comercio, guias: [] },
      ...{ titulo: nombre ?? direccion ?? comercio, direccion: nombre ? direccion : null },
    };
    const grupo = grupos.get(clave) ?? made;
    grupo.guias.push(guia);
    grupos.set(clave, grupo);
  }
  const out: Grupo = {
    ...{ clave: IN_HAND, accion: 'en_ruta', titulo: 'En sus manos', direccion: null, comercio: '' },
    guias: held,
  };
  return [...grupos.values(), ...(held.length > 0 ? [out] : [])];
}
