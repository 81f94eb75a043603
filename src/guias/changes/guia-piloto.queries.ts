import type { QueryConfig } from 'pg';
import type { CurrentGuia } from './guia-changes.queries.js';

type Guia = Pick<CurrentGuia, 'comercio_id' | 'id'>;

/**
 * SQL of the driver of a guide's last delivery, whose cash it is: who reported it, also where others applied it; else who was
 * named, else who had the guide when it was recorded. @param comercio, guia SQL of the guide's ids.
 */
export const deliverer = (comercio: string, guia: string): string => `select coalesce(
      case e.actor when 'piloto' then e.operador_id end, case o.actor when 'piloto' then o.operador_id end,
      (e.datos->>'piloto')::uuid,
      (select (a.datos->>'piloto')::uuid from eventos a where a.comercio_id = ${comercio} and a.guia_id = ${guia}
        and a.tipo = 'guia.asignada' and a.creado_en <= coalesce(o.creado_en, e.creado_en)
        order by a.creado_en desc, a.id desc limit 1)) as piloto
  from eventos e left join eventos o on o.comercio_id = ${comercio} and o.guia_id = ${guia} and o.id::text = e.datos->>'aplica'
  where e.comercio_id = ${comercio} and e.guia_id = ${guia} and e.tipo = 'guia.estado_cambiado'
    and e.datos->>'estado' = 'entregado'
  order by e.secuencia desc limit 1`;

/** The driver of a delivered guide as `piloto`; no row of one that was delivered before events were kept. */
export function findDeliverer({ comercio_id, id }: Guia): QueryConfig {
  return { text: deliverer('$1', '$2'), values: [comercio_id, id] };
}
