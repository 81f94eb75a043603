import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import type { Operator } from '../../auth/operators/operator.js';
import { HIGHEST_ID } from '../../platform/database/row-id.js';
import { exactTypes } from '../../platform/database/text-types.js';

/** Cash of one guide, and of all guides of its currency as `total`; amounts are texts. */
export interface LlevadoRow {
  moneda: string;
  total: string;
  guia: string;
  id: string;
  monto: string;
}

/** A hand-over; amounts are texts, the time is ISO 8601. */
export interface EntregaRow {
  id: string;
  moneda: string;
  esperado: string;
  monto: string;
  diferencia: string;
  nota: string | null;
  creada_en: string;
}

interface NewEntrega {
  moneda: string;
  monto: number;
  nota?: string;
  ref?: string;
}

/** The driver's cash of real guides, or of tests. */
export interface CajaKey {
  pilotoId: string;
  isTest: boolean;
}

const CARRIED = `select m.moneda, sum(sum(m.monto)) over (partition by m.moneda) as total, g.guia, g.id, sum(m.monto) as monto
  from caja_movimientos m join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  where m.piloto_id = $1 and m.de_prueba = $2 and m.entrega_id is null
  group by m.moneda, g.guia, g.id having sum(m.monto) <> 0 order by m.moneda, g.id`;

/** Cash of a driver, by currency. */
export function findCarried({ pilotoId, isTest }: CajaKey): QueryConfig {
  return { name: 'caja-carried', text: CARRIED, values: [pilotoId, isTest], types: exactTypes };
}

const COLUMNS = 'id, moneda, esperado, monto, monto - esperado as diferencia, nota, creada_en';

/** The hand-over that an operator recorded for a driver under this `ref`. */
export function findEntregaByRef(
  { pilotoId, isTest }: CajaKey,
  operadorId: string,
  ref: string,
): QueryConfig {
  const text = `select ${COLUMNS} from caja_entregas
    where operador_id = $1 and piloto_id = $2 and de_prueba = $3 and ref = $4`;
  return { text, values: [operadorId, pilotoId, isTest, ref], types: exactTypes };
}

/** `tomados`: marks what was recorded until now; amounts of deliveries under way stay with the driver. */
const HAND_OVER = `with tomados as (
  update caja_movimientos set entrega_id = $2
  where piloto_id = $1 and de_prueba = $3 and moneda = $4 and entrega_id is null
  returning comercio_id, guia_id, monto
), nueva as (
  insert into caja_entregas (id, piloto_id, de_prueba, moneda, esperado, monto, nota, creada_en, operador_id, ref)
  select $2, $1, $3, $4, sum(monto), $5, $6, clock_timestamp(), $7, $8 from tomados having count(*) > 0
  returning ${COLUMNS}
)
select nueva.*, exists (select from tomados group by comercio_id, guia_id having sum(monto) <> 0) as lleva from nueva`;

/**
 * Hands over all cash of one currency of a locked driver. Returns the hand-over, with `lleva` false where the driver
 * carried nothing of any guide; no row where there was nothing at all.
 */
export function handOver(
  { pilotoId, isTest }: CajaKey,
  { moneda, monto, nota, ref }: NewEntrega,
  { id: operadorId }: Operator,
): QueryConfig {
  const values = [pilotoId, v7(), isTest, moneda, monto, nota, operadorId, ref];
  return { text: HAND_OVER, values, types: exactTypes };
}

const LIST = `select ${COLUMNS} from caja_entregas
  where piloto_id = $1 and de_prueba = $2 and id < $3 order by id desc limit $4`;

/** The first `rows` hand-overs of a driver after `after`, newest first. */
export function listEntregas(
  { pilotoId, isTest }: CajaKey,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  return { text: LIST, values: [pilotoId, isTest, after?.id ?? HIGHEST_ID, rows], types: exactTypes };
}
