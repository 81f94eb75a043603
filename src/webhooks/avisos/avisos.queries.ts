import type { QueryConfig } from 'pg';
import { raw, sql, type Sql } from '../../platform/database/sql.js';
import { unnest } from '../../platform/database/unnest.js';
import { textTypes } from '../../platform/database/text-types.js';

/** Hours for which a message may be asked for. */
export const KEEP_HOURS = 24;

/**
 * Seconds after its event at which a message is late: it takes the place of its announcement, so that no reader waits for an
 * event that cannot be dispatched. Readers wait longer, by more than a statement may take.
 */
const LATE_S = 60;
const WAIT_S = LATE_S + 15;

/** SQL of the lowest id of a time. */
const idAt = (time: string) =>
  `rpad(lpad(to_hex(floor(extract(epoch from ${time}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`;

/** SQL that keeps messages for merchants that ask for them; a message that is kept already stays where it is. */
export function keepAvisos(messages: { id: string; comercio_id: string | null; creado_en: string }[]): Sql {
  const types = { id: 'uuid', comercio_id: 'uuid', creado_en: 'timestamptz' };
  const arrays = unnest(messages, 'm', types);
  return sql`insert into avisos (id, comercio_id, mensaje_id)
    select case when creado_en > now() - interval '${raw(String(LATE_S))} seconds' then id
      else (left(${raw(idAt('now()'))}::text, 13) || '-0000-0000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid end,
      comercio_id, id
    from ${arrays}
    on conflict do nothing`;
}

/** A kept message; the ids are null where there is none. */
export interface AvisoRow {
  /** Since when the merchant asks; null before its first time. */
  escucha_desde: string | null;
  lugar: string | null;
  id: string;
  tipo: string;
  secuencia: number | null;
  creado_en: string;
  cuerpo: string;
}

/**
 * Nothing is shown past an event that is still to be announced, or that a transaction may yet commit: a reader never comes
 * back to a place that it has passed. Times of events are taken inside their transactions.
 */
const PAGE = `with limite as (
  select ${idAt(`least(
    now(),
    (select min(xact_start) from pg_stat_activity
      where backend_xid is not null and datname = current_database() and pid <> pg_backend_pid()),
    (select min(e.creado_en) from eventos_pendientes p join eventos e
      on e.comercio_id = p.comercio_id and e.guia_id = p.guia_id and e.id = p.id
      where p.comercio_id = $1 and e.creado_en > now() - interval '${WAIT_S} seconds'),
    (select min(creado_en) from eventos
      where proximo_en is not null and comercio_id = $1 and creado_en > now() - interval '${WAIT_S} seconds')
  )`)} as id
)
select c.escucha_desde, a.*
from comercios c left join lateral (
  select a.id as lugar, m.id, m.evento as tipo, m.secuencia, m.creado_en, m.cuerpo
  from avisos a join webhook_mensajes m on m.id = a.mensaje_id and m.comercio_id = $1
  where a.comercio_id = $1 and a.id > $2 and a.id >= ${idAt(`now() - interval '${KEEP_HOURS} hours'`)}
    and a.id < (select id from limite)
  order by a.id limit $3
) a on true
where c.id = $1 order by a.lugar`;

/** A merchant's messages after a place, oldest first; without any, one row whose `lugar` is null. */
export function avisosAfter(comercioId: string, lugar: string, limit: number): QueryConfig {
  return { name: 'avisos-page', text: PAGE, values: [comercioId, lugar, limit], types: textTypes };
}

/** From now on the merchant's messages are kept. */
export function beginToKeep(comercioId: string): QueryConfig {
  return {
    text: 'update comercios set escucha_desde = now() where id = $1 and escucha_desde is null and cerrado_en is null',
    values: [comercioId],
  };
}
