import type { GuiaAdvertencia } from '../../guias/guia-advertencia.js';

/** Who has to act. */
export type Attendant = 'soporte' | 'comercio';

/** Who has to act on a warning of an open guide; null if nobody has to, or not in this section. */
export const ATTENDANTS: Record<GuiaAdvertencia, Attendant | null> = {
  mensaje_omitido_limite: 'soporte',
  mensaje_omitido_baja: 'soporte',
  recogida_sin_coordenadas: 'soporte',
  destinatario_niega: 'comercio',
  recogida_fuera_del_pais: 'comercio',
  destino_fuera_del_pais: 'comercio',
  // Has a section of its own.
  mensaje_fallido: null,
  // The recipient is asked.
  destino_sin_coordenadas: null,
  // These come with the delivery.
  cod_distinto: null,
  entrega_lejos: null,
};

export const ATTENDED_ADVERTENCIAS = (Object.keys(ATTENDANTS) as GuiaAdvertencia[]).filter(
  (codigo) => ATTENDANTS[codigo] !== null,
);
