import { quoted } from '../../platform/database/quoted.js';
import type { Reads } from '../../platform/database/replicas/reads.js';
import { firstIdAt } from '../../platform/database/row-id.js';
import { isSeenBy } from '../advertencias-vistas.queries.js';
import {
  ADVERTENCIA_CODES,
  ADVERTENCIAS,
  outlastingFor,
  type GuiaAdvertencia,
} from '../guia/guia-advertencia.js';
import { OPEN_ESTADOS } from '../guia/guia-estado.js';

/** The guides of a merchant that need it for the same reason. */
export interface OwnerCause {
  causa: string;
  /** In Spanish, as the panel prints it. */
  titulo: string;
  cuantas: number;
  /** Sum of what is to be collected of these guides, in the merchant's currency. */
  monto: string;
}

const OWN_CODES = ADVERTENCIA_CODES.filter((code) => ADVERTENCIAS[code].attendants.includes('comercio'));

const CAUSES = `select a.codigo as causa, count(*)::int as cuantas, sum(g.cod_amount) as monto from (
    select * from guias where comercio_id = $1 and advertencias <> '{}' order by id desc limit 1000
  ) g cross join lateral unnest(g.advertencias) a (codigo)
  where a.codigo in (${quoted(OWN_CODES)}) and case when a.codigo in (${quoted(outlastingFor('comercio'))})
    then g.actualizada_en > now() - interval '30 days' and not ${isSeenBy('comercio')}
    else g.estado in (${quoted(OPEN_ESTADOS)}) end
  group by a.codigo
  union all
  select 'sin_confirmar', count(*)::int, sum(cod_amount) from guias g
  where g.comercio_id = $1 and g.estado in ('aceptado', 'en_camino_a_recoger', 'recogido') and not g.direccion_confirmada
    and g.advertencias = '{}' and g.id >= $2 and g.id < $3
    and not exists (select from mensajes n where n.comercio_id = $1 and n.guia_id = g.id and n.id >= $3)
  having count(*) > 0`;

const DAY_MS = 86_400_000;

/** What needs a merchant; empty where nothing does. A guide counts in each of its causes. */
export async function ownerCauses(db: Pick<Reads, 'query'>, comercioId: string): Promise<OwnerCause[]> {
  const now = Date.now();
  const values = [comercioId, firstIdAt(now - 30 * DAY_MS), firstIdAt(now - DAY_MS)];
  const { rows } = await db.query<Omit<OwnerCause, 'titulo'>>({ text: CAUSES, values });
  return rows.map((row) => ({ ...row, titulo: titleOf(row.causa) }));
}

function titleOf(causa: string): string {
  if (causa === 'sin_confirmar') return 'No han marcado su puerta';
  const { name } = ADVERTENCIAS[causa as GuiaAdvertencia];
  return name[0]!.toUpperCase() + name.slice(1);
}
