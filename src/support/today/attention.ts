import type { GuiaAdvertencia } from '../../guias/guia-advertencia.js';

/** Who has to act. */
export type Attendant = 'soporte' | 'comercio';

/**
 * Who has to act on a warning of an open guide. No entry for `mensaje_fallido`, which has a section of its own;
 * `destino_sin_coordenadas`, because the recipient is asked; `cod_distinto` and `entrega_lejos`, which come after the delivery.
 */
export const ATTENDANTS: Partial<Record<GuiaAdvertencia, Attendant>> = {
  mensaje_omitido_limite: 'soporte',
  mensaje_omitido_baja: 'soporte',
  recogida_sin_coordenadas: 'soporte',
  destinatario_niega: 'comercio',
  recogida_fuera_del_pais: 'comercio',
  destino_fuera_del_pais: 'comercio',
};

export const ATTENDED_ADVERTENCIAS = Object.keys(ATTENDANTS) as GuiaAdvertencia[];
