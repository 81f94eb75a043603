import type { QueryConfig } from 'pg';
import type { CurrentGuia } from './guia-changes.queries.js';

type Guia = Pick<CurrentGuia, 'comercio_id' | 'id'>;

const OMITTED = `select from (
    select m.estado from eventos e join mensajes m on m.id = e.id
    where e.comercio_id = $1 and e.guia_id = $2 and e.tipo in ('guia.creada', 'guia.confirmacion_pedida')
      and e.secuencia >= $3
    order by e.secuencia desc limit 1
  ) ultimo where estado = 'omitido'`;

/** A row if the last request for the destination to the guide's present phone was not sent, on purpose. */
export function findOmittedRequest({
  comercio_id,
  id,
  telefono_secuencia,
}: Guia & Pick<CurrentGuia, 'telefono_secuencia'>): QueryConfig {
  return { text: OMITTED, values: [comercio_id, id, telefono_secuencia ?? 0] };
}
