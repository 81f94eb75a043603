import type { QueryConfig } from 'pg';
import { sql, statement } from '../database/sql.js';
import { unnest } from '../database/unnest.js';

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

const PARKED = { comercio_id: 'uuid', guia_id: 'uuid', id: 'uuid', causa: 'text' };

export type ParkedEvento = Record<keyof typeof PARKED, string>;

/**
 * Schedules another try of claimed events; returns how often each has failed. Exponential backoff: 10 seconds, multiplied by
 * four with each failure, up to an hour.
 */
export function parkEventos(eventos: ParkedEvento[]): QueryConfig {
  return statement(
    sql`update eventos e set intentos = e.intentos + 1, causa = f.causa,
        proximo_en = now() + least(interval '10 seconds' * 4 ^ least(e.intentos, 5), interval '1 hour')
      from ${unnest(eventos, 'f', PARKED)}
      where e.comercio_id = f.comercio_id and e.guia_id = f.guia_id and e.id = f.id
      returning e.id, e.intentos`,
    { name: 'eventos-park' },
  );
}
