import type { QueryConfig } from 'pg';
import { columnsOf } from '../database/columns-of.js';

/** Takes the events' keys out of the outbox; a rollback puts them back. */
const CLAIM = `with tomado as (
  delete from eventos_pendientes where id = any (array(
    select id from eventos_pendientes order by id limit $1 for update skip locked
  ))
  returning comercio_id, guia_id, id
)
select comercio_id, guia_id, id, tipo, secuencia, traza from tomado join eventos using (comercio_id, guia_id, id)`;

const CLAIM_PARKED = `with tomado as (
  select comercio_id, guia_id, id from eventos where proximo_en <= now()
  order by proximo_en limit 1 for no key update skip locked
)
update eventos e set proximo_en = null from tomado t
where e.comercio_id = t.comercio_id and e.guia_id = t.guia_id and e.id = t.id
returning e.comercio_id, e.guia_id, e.id, e.tipo, e.secuencia, e.traza`;

export interface DueEventos {
  /** For the first time. */
  waiting: boolean;
  /** Again, after they were parked. */
  parked: boolean;
}

export function dueEventos(): QueryConfig {
  const text = `select
    exists (select from eventos_pendientes) as waiting,
    exists (select from eventos where proximo_en <= now()) as parked`;
  return { name: 'eventos-due', text };
}

/** The oldest events that were never parked. Not prepared: a plan for an empty table reads all of a backlog. */
export function claimEventos(limit: number): QueryConfig {
  return { text: CLAIM, values: [limit] };
}

/** The parked event that has been due for longest. */
export function claimParkedEvento(): QueryConfig {
  return { name: 'eventos-claim-parked', text: CLAIM_PARKED };
}

/** Exponential backoff: 10 seconds, multiplied by four with each failure, up to an hour. */
const PARK = `update eventos e set intentos = e.intentos + 1, causa = fallido.causa,
  proximo_en = now() + least(interval '10 seconds' * 4 ^ least(e.intentos, 5), interval '1 hour')
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as fallido (comercio_id, guia_id, id, causa)
where e.comercio_id = fallido.comercio_id and e.guia_id = fallido.guia_id and e.id = fallido.id
returning e.id, e.intentos`;

export interface ParkedEvento {
  comercio_id: string;
  guia_id: string;
  id: string;
  causa: string;
}

/** Schedules another try of claimed events; returns how often each has failed. */
export function parkEventos(eventos: ParkedEvento[]): QueryConfig {
  const values = columnsOf(eventos, 'comercio_id', 'guia_id', 'id', 'causa');
  return { name: 'eventos-park', text: PARK, values };
}
