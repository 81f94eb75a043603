import type { QueryConfig } from 'pg';
import { asIso } from '../database/text-types.js';
import { countParked } from '../events/outbox.queries.js';

const MAX_COUNTED = 10_000;

/** Problems that need a person although the service is working. */
export interface Attention {
  /** Events that could not be dispatched and are tried again; at most 10,000 are counted. */
  eventos_apartados: number;
  /** The sender of messages, if it is paused. */
  pausas: Pause[];
}

interface Pause {
  proveedor: string;
  /** The provider's code. */
  codigo: string;
  /** Spanish: the cause, and advice. */
  causa: string;
  /** ISO 8601. */
  desde: string;
  /** Of an outage, which ends by itself: what the provider answered. Absent where a person has to act. */
  respuesta?: string | null;
}

const FIND = `select
  ${countParked(MAX_COUNTED)} as eventos_apartados,
  array(
    select json_build_object('proveedor', proveedor, 'codigo', codigo, 'causa', causa,
      'desde', ${asIso('desde')})::jsonb || case when prueba_en is null then '{}' else jsonb_build_object('respuesta', respuesta) end
    from pausas where proveedor = $1 and responde_en is null
  ) as pausas`;

/** @param proveedor the provider in use; pauses of earlier providers no longer matter. */
export function findAttention(proveedor: string): QueryConfig {
  return { name: 'attention', text: FIND, values: [proveedor] };
}
