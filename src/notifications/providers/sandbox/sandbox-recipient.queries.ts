import type { QueryConfig } from 'pg';
import type { AnsweredGuia } from '../../../guias/changes/recipient-answer.js';

/** The guide of a message and its pickup point. */
export interface SandboxGuiaRow extends AnsweredGuia {
  pickupLat: number | null;
  pickupLng: number | null;
}

const FIND = `select g.comercio_id as "comercioId", g.id as "guiaId", g.telefono_secuencia as "telefonoSecuencia",
    g.recogida_lat as "pickupLat", g.recogida_lng as "pickupLng"
  from mensajes m join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  where m.id = $1`;

export function findSandboxGuia(mensajeId: string): QueryConfig {
  return { text: FIND, values: [mensajeId] };
}
