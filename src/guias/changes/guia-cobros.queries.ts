import type { QueryConfig } from 'pg';
import type { Operator } from '../../auth/operators/operator.js';
import type { EventoTipo } from '../../events/evento-tipo.js';
import { dispatchedAt } from '../../events/record-evento.js';
import type { GuiaEstado } from '../guia-estado.js';
import { byIdOrGuia, lookupColumnOf, whereMode } from '../guia-lookup.js';
import { touch } from './guia-version.js';

/** What an operator says was collected of a delivered guide. */
export interface Correccion {
  cod_cobrado: number;
  nota?: string;
  /** The operator's idempotency key: one event for each operator, guide and `ref`. */
  ref?: string;
}

/** What the statement of a correction found and did. */
export interface CorreccionRow {
  guia: string;
  id: string;
  estado: GuiaEstado;
  /** Of the new event; null if the guide is not delivered or is settled, or for a repeat. */
  secuencia: number | null;
  /** The event already recorded under this `ref`. */
  repetido: { id: string; tipo: EventoTipo; secuencia: number; datos: Record<string, unknown> } | null;
}

/**
 * `actual` locks the guide. A guide with nothing due and nothing collected (`sin_monto`) has no row in `cobros`: that row is
 * deleted; any other is written. Both wait for a concurrent settlement, and leave settled rows alone. `correccion` has a row
 * if one of them succeeded, or if there was no row to delete.
 */
const correct = (by: string) => `with actual as (
  select comercio_id, id, guia, estado, cod_amount, estado_en from guias where ${by} for update
), repetido as (
  select e.id, e.tipo, e.secuencia, e.datos from actual a
  join eventos e on e.comercio_id = a.comercio_id and e.guia_id = a.id and e.operador_id = $2 and e.ref = $3
), cobro_escrito as (
  insert into cobros as c (comercio_id, guia_id, cod_amount, cod_cobrado, cobrado_en, estado)
  select comercio_id, id, cod_amount, $4::numeric,
    greatest(least(coalesce(estado_en, clock_timestamp()), clock_timestamp()), to_timestamp(0)), 'cobrado'
  from actual where estado = 'entregado' and not exists (select from repetido) and (cod_amount > 0 or $4::numeric > 0)
  on conflict on constraint cobros_pkey do update set cod_cobrado = excluded.cod_cobrado, estado = 'cobrado',
    cobrado_en = coalesce(c.cobrado_en, excluded.cobrado_en)
    where c.liquidacion_id is null
  returning comercio_id, guia_id, cod_amount <> cod_cobrado as difiere
), sin_monto as (
  select comercio_id, id as guia_id from actual
  where estado = 'entregado' and not exists (select from repetido) and cod_amount = 0 and $4::numeric = 0
), cobro_borrado as (
  delete from cobros c using sin_monto n
  where c.comercio_id = n.comercio_id and c.guia_id = n.guia_id and c.liquidacion_id is null
  returning c.guia_id
), correccion as (
  select * from cobro_escrito
  union all select n.*, false from sin_monto n where exists (select from cobro_borrado)
    or not exists (select from cobros c where c.comercio_id = n.comercio_id and c.guia_id = n.guia_id)
), guia_corregida as (
  update guias g set advertencias = array_remove(g.advertencias, 'cod_distinto')
      || case when r.difiere then array['cod_distinto'] else '{}' end,
    ${touch(1)}
  from correccion r where g.comercio_id = r.comercio_id and g.id = r.guia_id
  returning g.comercio_id, g.id, g.version
), evento as (
  insert into eventos (comercio_id, guia_id, id, tipo, actor, secuencia, creado_en, operador_id, ref, despachado_en, datos)
  select comercio_id, id, $5, 'guia.cobro_corregido', 'operador', version, clock_timestamp(), $2, $3,
    ${dispatchedAt('guia.cobro_corregido')}, $6::jsonb
  from guia_corregida
)
select a.guia, a.id, a.estado, c.version as secuencia, to_jsonb(r) as repetido
from actual a left join guia_corregida c on true left join repetido r on true`;

const REAL = byIdOrGuia('guia-cobro', correct, whereMode(false));
const TEST = byIdOrGuia('guia-cobro-test', correct, whereMode(true));

/** Corrects the collected amount and records it, or reports why not, in one statement. No row: unknown guide. */
export function correctCobro(
  idOrGuia: string,
  { cod_cobrado, nota, ref }: Correccion,
  operator: Operator,
  eventoId: string,
): QueryConfig {
  const values = [idOrGuia, operator.id, ref, cod_cobrado, eventoId, { cod_cobrado, nota }];
  return { ...(operator.isTest ? TEST : REAL)[lookupColumnOf(idOrGuia)], values };
}
