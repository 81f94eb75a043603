import type { QueryConfig } from 'pg';
import type { AnsweredGuiaRow } from '../../../guias/changes/recipient-answer.js';

/** The guide of a message and its pickup point. */
export interface SandboxGuiaRow extends AnsweredGuiaRow {
  recogida_lat: number | null;
  recogida_lng: number | null;
}

const FIND = `select g.comercio_id, g.id as guia_id, g.telefono_secuencia, g.recogida_lat, g.recogida_lng
  from mensajes m join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  where m.id = $1`;

export function findSandboxGuia(mensajeId: string): QueryConfig {
  return { text: FIND, values: [mensajeId] };
}
