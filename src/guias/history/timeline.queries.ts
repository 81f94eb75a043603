import type { QueryConfig } from 'pg';
import { LOWEST_ID } from '../../platform/database/row-id.js';
import { raw, sql, statement } from '../../platform/database/sql.js';
import { quoted } from '../../platform/database/quoted.js';
import { textTypes } from '../../platform/database/text-types.js';
import { HISTORY_TIPOS } from '../../platform/events/evento-tipo.js';
import type { EventoRow } from '../dto/evento.dto.js';

/** The driver of an event: the one who reported it, or the one whom the guide was assigned to. */
const PILOTO = `case when actor = 'piloto' then eventos.operador_id else (datos->>'piloto')::uuid end`;

const COLUMNS = `id, secuencia, tipo, actor, creado_en, coalesce(ocurrido_en, creado_en) as ocurrido_en, datos,
  ${PILOTO} as piloto, (select nombre from pilotos where pilotos.id = ${PILOTO}) as piloto_nombre`;

/** An assignment has the `secuencia` of the event before it, as the guide's version stays. */
const ORDER = `secuencia, tipo = 'guia.asignada', creado_en, id`;

const IS_SHOWN = `tipo in (${quoted(HISTORY_TIPOS)})`;

const OF_GUIA = `select ${COLUMNS},
    (select nombre from operadores o where o.id = eventos.operador_id) as operador from eventos
  where (comercio_id, guia_id) = (select comercio_id, id from guias where guia = $1)
    and ${IS_SHOWN}
  order by ${ORDER}`;

/** The first `rows` events after the event `after`, or from the first one. */
export function listEventos(
  guia: { comercioId: string; id: string },
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  const ofGuia = sql`comercio_id = ${guia.comercioId} and guia_id = ${guia.id}`;
  const isAfter = after
    ? sql`(${raw(ORDER)}) > (select ${raw(ORDER)} from eventos where ${ofGuia} and id = ${after.id})`
    : raw('true');
  // A guide has few events: they are found by its key and sorted.
  return statement(
    sql`select ${raw(COLUMNS)} from eventos where ${ofGuia} and ${isAfter} and ${raw(IS_SHOWN)}
      order by ${raw(ORDER)} limit ${rows}`,
    { name: after ? 'eventos-page-after' : 'eventos-page', types: textTypes, once: guia.comercioId },
  );
}

/** An event of a guide, and where the list of all of a merchant's goes on. */
export interface EventoOfMerchantRow extends EventoRow {
  guia: string;
  guia_id: string;
}

/** The events of all guides of a merchant, guide by guide, after one of them; whoever reads them leaves out those that are not shown. */
export function listAllEventos(
  comercioId: string,
  after: Pick<EventoOfMerchantRow, 'guia_id' | 'id'> | undefined,
  rows: number,
): QueryConfig {
  const { guia_id, id } = after ?? { guia_id: LOWEST_ID, id: LOWEST_ID };
  return statement(
    sql`select guia, ${raw(COLUMNS)}, guia_id from (
      select g.guia, e.* from eventos e join guias g on g.comercio_id = e.comercio_id and g.id = e.guia_id
      where e.comercio_id = ${comercioId} and (e.guia_id, e.id) > (${guia_id}, ${id})
      order by e.guia_id, e.id limit ${rows}
    ) eventos order by guia_id, id`,
    { types: textTypes },
  );
}

/** All events of a guide, by its number. */
export function eventosOfGuia(guia: string): QueryConfig {
  return { text: OF_GUIA, values: [guia], types: textTypes };
}
