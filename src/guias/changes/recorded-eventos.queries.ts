import type { QueryConfig } from 'pg';
import { textTypes } from '../../platform/database/text-types.js';
import type { EventoTipo } from '../../platform/events/evento-tipo.js';
import type { LockedGuia } from './guia-changes.queries.js';

/** A recorded event that a request may repeat. */
export interface RecordedEvento {
  id: string;
  tipo: EventoTipo;
  secuencia: number;
  /** ISO 8601; null where the operator did not say. */
  ocurrido_en: string | null;
  datos: Record<string, unknown>;
}

type Guia = Pick<LockedGuia, 'comercio_id' | 'id'>;

const FIND = `select id, tipo, secuencia, ocurrido_en, datos from eventos where comercio_id = $1 and guia_id = $2 and`;

/** The event that an operator recorded under this `ref`. */
export function findByRef({ comercio_id, id }: Guia, operadorId: string, ref: string): QueryConfig {
  const text = `${FIND} operador_id = $3 and ref = $4`;
  return { name: 'evento-by-ref', text, values: [comercio_id, id, operadorId, ref], types: textTypes };
}

/** The event that cancelled a guide, the last time. */
export function findCancellation({ comercio_id, id }: Guia): QueryConfig {
  const text = `${FIND} tipo = 'guia.cancelada' order by secuencia desc limit 1`;
  return { name: 'evento-cancelada', text, values: [comercio_id, id], types: textTypes };
}
