import type { GuiaEstado } from '../guia-estado.js';

const BEFORE_PICKUP: readonly GuiaEstado[] = ['aceptado', 'en_camino_a_recoger'];
const NOT_ON_THE_WAY: readonly GuiaEstado[] = [...BEFORE_PICKUP, 'recogido', 'intento_fallido'];

/**
 * The states in which a merchant may change each field: what concerns the parcel, before pickup; what concerns the
 * destination, while nobody is on the way there.
 */
export const EDITABLE_IN = {
  telefono: NOT_ON_THE_WAY,
  nombre: BEFORE_PICKUP,
  departamento: BEFORE_PICKUP,
  municipio: BEFORE_PICKUP,
  direccion: NOT_ON_THE_WAY,
  referencia: NOT_ON_THE_WAY,
  contenido: BEFORE_PICKUP,
  notas: NOT_ON_THE_WAY,
  cod_amount: BEFORE_PICKUP,
  lat: NOT_ON_THE_WAY,
  lng: NOT_ON_THE_WAY,
  maps_url: NOT_ON_THE_WAY,
} as const;

export type EditableCampo = keyof typeof EDITABLE_IN;

/** Whether a merchant may change anything of a guide in this state. */
export function isEditable(estado: GuiaEstado): boolean {
  return Object.values(EDITABLE_IN).some((estados) => estados.includes(estado));
}

/** The given fields that may not change in this state. */
export function lockedCampos(campos: readonly EditableCampo[], estado: GuiaEstado): EditableCampo[] {
  return campos.filter((campo) => !EDITABLE_IN[campo].includes(estado));
}
