import type { QueryConfig } from 'pg';
import { columnsOf } from '../database/columns-of.js';

/**
 * Marks events as dispatched in advance: the mark is rolled back with the transaction. `ctid` is stable while the row
 * is locked: `eventos` is not partitioned, and every statement that updates it takes that lock.
 */
const claim = (rows: string) => `update eventos set despachado_en = now()
where ctid = any (array(
  select ctid from eventos where despachado_en is null and ${rows} for no key update skip locked
))
returning comercio_id, guia_id, id, tipo, secuencia, traza`;

const CLAIM = claim('proximo_en is null order by id limit $1');

const CLAIM_PARKED = claim('proximo_en <= now() order by proximo_en limit 1');

/** Whether events wait to be dispatched. */
export interface DueEventos {
  /** For the first time. */
  waiting: boolean;
  /** Again, after they were parked. */
  parked: boolean;
}

export function dueEventos(): QueryConfig {
  const text = `select
    exists (select from eventos where despachado_en is null and proximo_en is null) as waiting,
    exists (select from eventos where despachado_en is null and proximo_en <= now()) as parked`;
  return { name: 'eventos-due', text };
}

/** The oldest events that were never parked. */
export function claimEventos(limit: number): QueryConfig {
  return { name: 'eventos-claim', text: CLAIM, values: [limit] };
}

/** The parked event that has been due for longest. */
export function claimParkedEvento(): QueryConfig {
  return { name: 'eventos-claim-parked', text: CLAIM_PARKED };
}

/** Exponential backoff: 10 seconds, multiplied by four with each failure, up to an hour. */
const PARK = `update eventos e set despachado_en = null, intentos = e.intentos + 1, causa = fallido.causa,
  proximo_en = now() + least(interval '10 seconds' * 4 ^ least(e.intentos, 5), interval '1 hour')
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as fallido (comercio_id, guia_id, id, causa)
where e.comercio_id = fallido.comercio_id and e.guia_id = fallido.guia_id and e.id = fallido.id
returning e.id, e.intentos`;

/** The key of an event that cannot be dispatched, and why. */
export interface ParkedEvento {
  comercio_id: string;
  guia_id: string;
  id: string;
  causa: string;
}

/** Un-marks claimed events and schedules a retry; returns how often each has failed. */
export function parkEventos(eventos: ParkedEvento[]): QueryConfig {
  const values = columnsOf(eventos, 'comercio_id', 'guia_id', 'id', 'causa');
  return { name: 'eventos-park', text: PARK, values };
}
