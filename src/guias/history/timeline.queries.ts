import type { QueryConfig } from 'pg';
import { LOWEST_ID } from '../../platform/database/row-id.js';
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

/** A guide has few events: they are found by its key and sorted. */
const PAGE = `select ${COLUMNS} from eventos
  where comercio_id = $1 and guia_id = $2 and ($3::uuid is null or (${ORDER}) > (
    select ${ORDER} from eventos where comercio_id = $1 and guia_id = $2 and id = $3))
    and ${IS_SHOWN}
  order by ${ORDER} limit $4`;

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
  const values = [guia.comercioId, guia.id, after?.id, rows];
  return { name: 'eventos-page', text: PAGE, values, types: textTypes };
}

const OF_MERCHANT = `select guia, ${COLUMNS}, guia_id from (
    select g.guia, e.* from eventos e join guias g on g.comercio_id = e.comercio_id and g.id = e.guia_id
    where e.comercio_id = $1 and (e.guia_id, e.id) > ($2, $3)
    order by e.guia_id, e.id limit $4
  ) eventos order by guia_id, id`;

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
  const values = [comercioId, after?.guia_id ?? LOWEST_ID, after?.id ?? LOWEST_ID, rows];
  return { text: OF_MERCHANT, values, types: textTypes };
}

/** All events of a guide, by its number. */
export function eventosOfGuia(guia: string): QueryConfig {
  return { text: OF_GUIA, values: [guia], types: textTypes };
}
