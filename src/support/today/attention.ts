import type { GuiaAdvertencia } from '../../guias/guia-advertencia.js';

/** Who has to act. */
export type Attendant = 'soporte' | 'comercio';

/**
 * Who has to act on a warning while its guide may still be delivered. Without an entry: a message that failed has a section
 * of its own, with its cause; a recipient is asked for a destination whose link cannot be read; the warnings of a delivery
 * come after it.
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
