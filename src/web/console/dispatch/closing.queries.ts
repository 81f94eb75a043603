import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { firstIdAt, HIGHEST_ID } from '../../../platform/database/row-id.js';
import { exactTypes, textTypes } from '../../../platform/database/text-types.js';
import { TIMED_ESTADOS } from '../../../cobros/cobro-estado.js';
import { deliverer } from '../../../guias/changes/guia-piloto.queries.js';
import { quoted } from '../../../platform/database/quoted.js';
import { IS_UNAPPLIED } from '../../../guias/changes/no-aplicados.js';
import { NO_APLICADO_ADVERTENCIAS } from '../../../guias/guia/guia-advertencia.js';
import { OPEN_ESTADOS } from '../../../guias/guia/guia-estado.js';
import { STANDS } from '../../../guias/guia/standing-moves.js';
import type { LiquidacionRow } from '../../../cobros/liquidaciones.queries.js';

/** A driver's day; times are ISO 8601. */
export interface DriverDayRow {
  id: string;
  nombre: string;
  activo: boolean;
  visto_en: string | null;
  con_enlace: boolean;
  /** Guides that the driver has and that may still be delivered. */
  abiertas: number;
  /** Guides that were delivered that day by this driver, whoever has them. */
  entregadas: number;
  /** Guides that could not be delivered that day, as this driver reported, or others while the driver had the guide. */
  fallidas: number;
}

/** How much later than it happened an event may be recorded. */
const LATE_H = 48;

const OWN = 'from guias g where g.piloto_id = p.id and not g.de_prueba and g.estado';

/** SQL: who delivered the guide `g`; as old guides have no events of it, its driver. */
const DELIVERER = `coalesce((${deliverer('g.comercio_id', 'g.id')}), g.piloto_id)`;

/**
 * Attempts that failed in a span of time: of the driver who reported them, else of who had the guide then. Of those that the
 * driver delivered in the end, none.
 */
const FAILED = `select e.guia_id, coalesce(
      case e.actor when 'piloto' then e.operador_id end,
      (select o.operador_id from eventos o where o.comercio_id = e.comercio_id and o.guia_id = e.guia_id
        and o.id::text = e.datos->>'aplica' and o.actor = 'piloto'),
      (select (a.datos->>'piloto')::uuid from eventos a where a.comercio_id = e.comercio_id and a.guia_id = e.guia_id
        and a.tipo = 'guia.asignada' and a.creado_en <= e.creado_en order by a.creado_en desc, a.id desc limit 1)
    ) as piloto_id, case when g.estado = 'entregado' and g.estado_en < $2 then ${DELIVERER} end as entrego
  from eventos e join guias g on g.comercio_id = e.comercio_id and g.id = e.guia_id
  where e.tipo = 'guia.estado_cambiado' and e.datos->>'estado' = 'intento_fallido' and not g.de_prueba
    and e.creado_en >= $1 and e.creado_en < $2::timestamptz + interval '${LATE_H} h'
    and coalesce(e.ocurrido_en, e.creado_en) >= $1 and coalesce(e.ocurrido_en, e.creado_en) < $2
    and ${STANDS}`;

/**
 * Deliveries in a span of time, by whose cash it is: of the guides of any driver, and those of nobody of which something was due,
 * where a driver was named.
 */
const DELIVERED = `select ${DELIVERER} as piloto_id
  from pilotos p join guias g on g.piloto_id = p.id and not g.de_prueba and g.estado = 'entregado'
    and g.estado_en >= $1 and g.estado_en < $2
  union all
  select x.piloto_id from comercios c cross join lateral (
    select guia_id, piloto_id from cobros where comercio_id = c.id and estado in (${quoted(TIMED_ESTADOS)})
      and cobrado_en >= $1 and cobrado_en < $2 and piloto_id is not null
  ) x join guias g on g.comercio_id = c.id and g.id = x.guia_id
  where c.prueba_de is null and g.piloto_id is null and g.estado = 'entregado'`;

const DAY = `with fallas as (${FAILED}), entregas as (${DELIVERED})
  select p.id, p.nombre, p.activo, p.visto_en, coalesce(p.enlace_vence_en > now(), false) as con_enlace,
    (select count(*)::int ${OWN} = any ($3)) as abiertas,
    (select count(*)::int from entregas e where e.piloto_id = p.id) as entregadas,
    (select count(distinct f.guia_id)::int from fallas f
      where f.piloto_id = p.id and f.entrego is distinct from p.id) as fallidas
  from pilotos p order by clave_lugar(p.nombre), p.id`;

/** The day of each driver, by name. */
export function driverDays({ from, until }: Span): QueryConfig {
  return { text: DAY, values: [new Date(from), new Date(until), OPEN_ESTADOS], types: textTypes };
}

/** ms since 1970; without the end. */
export interface Span {
  from: number;
  until: number;
}

/** Cash of a driver in one currency; amounts are texts. */
export interface DriverCashRow {
  piloto_id: string;
  moneda: string;
  monto: string;
}

/** Cash of each driver, of real guides: an index has only cash that was not handed over. */
export function carriedCash(): QueryConfig {
  return {
    text: `select piloto_id, moneda, sum(monto)::text as monto from caja_movimientos
      where entrega_id is null and not de_prueba group by piloto_id, moneda having sum(monto) <> 0 order by moneda`,
  };
}

/**
 * Cash of deliveries that were not applied, of guides that still warn of it: in no drawer. The warned guides of
 * each merchant are in an index.
 */
export function uncountedCash(): QueryConfig {
  return {
    text: `select e.operador_id as piloto_id, c.moneda, sum((e.datos->>'cod_cobrado')::numeric)::text as monto
      from comercios c
      cross join lateral (
        select comercio_id, id from guias
        where comercio_id = c.id and advertencias <> '{}' and advertencias && $1::text[]
      ) g
      join eventos e on e.comercio_id = g.comercio_id and e.guia_id = g.id and e.actor = 'piloto'
      where c.prueba_de is null and ${IS_UNAPPLIED} and e.datos->>'estado' = 'entregado' and (e.datos->>'cod_cobrado')::numeric > 0
        and coalesce(e.datos->>'pago', 'efectivo') = 'efectivo'
      group by e.operador_id, c.moneda order by c.moneda`,
    values: [NO_APLICADO_ADVERTENCIAS],
  };
}

/** Hand-overs of a driver in a span of time, and how much they exceed what was expected. */
export interface HandedRow extends DriverCashRow {
  diferencia: string;
}

export function handedCash({ from, until }: Span): QueryConfig {
  return {
    text: `select p.id as piloto_id, e.* from pilotos p cross join lateral (
        select moneda, sum(monto)::text as monto, sum(monto - esperado)::text as diferencia from caja_entregas
        where piloto_id = p.id and id >= $1 and id < $2 and not de_prueba group by moneda
      ) e order by e.moneda`,
    values: [firstIdAt(from), firstIdAt(until)],
  };
}

/** Collected by a driver in one currency: cash, and by card or transfer; amounts are texts. */
export interface CollectedRow extends DriverCashRow {
  sin_efectivo: string;
}

/** Collected by drivers in a span of time. */
export function collectedCash({ from, until }: Span): QueryConfig {
  return {
    text: `select x.piloto_id, c.moneda, sum(x.efectivo)::text as monto, sum(x.todo - x.efectivo)::text as sin_efectivo
      from comercios c cross join lateral (
        select piloto_id, sum(cod_cobrado) as todo,
          coalesce(sum(cod_cobrado) filter (where coalesce(pago, 'efectivo') = 'efectivo'), 0.00) as efectivo
        from cobros
        where comercio_id = c.id and estado in ('cobrado', 'liquidado') and cobrado_en >= $1 and cobrado_en < $2
          and piloto_id is not null
        group by piloto_id
      ) x where c.prueba_de is null group by x.piloto_id, c.moneda having sum(x.todo) <> 0 order by c.moneda`,
    values: [new Date(from), new Date(until)],
  };
}

/** A merchant with amounts or adjustments to be settled; amounts are texts. */
export interface UnsettledMerchantRow {
  id: string;
  nombre: string;
  pais: CountryCode;
  moneda: string;
  guias: number;
  /** Guides of which another amount was collected than was due. */
  distintas: number;
  cobrado: string;
  pendientes: number;
  ajustes: string;
  /** When it was read: what is settled then was seen. */
  leido_en: Date;
}

/** The merchants with amounts or adjustments to be settled, by name. */
export function unsettledMerchants(): QueryConfig {
  return {
    text: `select c.id, c.nombre, c.pais, c.moneda, x.guias, x.distintas, x.cobrado::text, a.pendientes, a.ajustes::text,
        now() as leido_en
      from comercios c cross join lateral (
        select count(*)::int as guias, count(*) filter (where cod_cobrado <> cod_amount)::int as distintas,
          coalesce(sum(cod_cobrado), 0.00) as cobrado
        from cobros where comercio_id = c.id and estado = 'cobrado'
      ) x cross join lateral (
        select count(*)::int as pendientes, coalesce(sum(monto), 0.00) as ajustes
        from ajustes where comercio_id = c.id and liquidacion_id is null
      ) a where c.prueba_de is null and (x.guias > 0 or a.pendientes > 0) order by clave_lugar(c.nombre), c.id`,
  };
}

/** A guide of which another amount was collected than was due; amounts are texts. */
export interface DifferingRow {
  guia: string;
  nombre: string;
  debia: string;
  cobro: string;
  piloto: string | null;
  /** Of the delivery, or of its last correction. */
  nota: string | null;
}

/** The last ones of a merchant that are not settled. */
export function differingCobros(comercioId: string, limit: number): QueryConfig {
  return {
    text: `select g.guia, g.destinatario as nombre, c.cod_amount::text as debia, c.cod_cobrado::text as cobro, p.nombre as piloto,
        (select e.datos->>'nota' from eventos e where e.comercio_id = c.comercio_id and e.guia_id = c.guia_id
          and e.tipo in ('guia.estado_cambiado', 'guia.cobro_corregido') and e.datos ? 'cod_cobrado'
          order by e.secuencia desc limit 1) as nota
      from cobros c join guias g on g.comercio_id = c.comercio_id and g.id = c.guia_id
      left join pilotos p on p.id = c.piloto_id
      where c.comercio_id = $1 and c.estado = 'cobrado' and c.cod_cobrado <> c.cod_amount order by c.guia_id desc limit $2`,
    values: [comercioId, limit],
  };
}

/** A settlement that is not paid yet. */
export interface UnpaidRow extends Omit<UnsettledMerchantRow, 'distintas' | 'pendientes' | 'leido_en'> {
  comercio: string;
  /** ISO 8601. */
  hasta: string;
}

/** Real settlements that are not paid yet, the oldest first; a partial index has no others. */
export function unpaidSettlements(limit: number): QueryConfig {
  return {
    text: `select l.id, l.comercio_id as comercio, c.nombre, c.pais, l.moneda, l.guias, l.cobrado::text,
        l.ajustes::text, l.hasta
      from liquidaciones l join comercios c on c.id = l.comercio_id
      where l.pagada_en is null and c.prueba_de is null order by l.id limit $1`,
    values: [limit],
    types: textTypes,
  };
}

/** Days of settlements in a file. */
export const EXPORTED_DAYS = 92;

/** A settlement with its merchant's name; times are ISO 8601, the amount is a text. */
export interface SettlementRow extends Omit<LiquidacionRow, 'comercio_id'> {
  comercio_nombre: string;
}

/** Real settlements of `EXPORTED_DAYS` days, the newest first. @param after the last id of the rows before. */
export function recentSettlements(after: string | undefined, limit: number): QueryConfig {
  return {
    text: `select l.id, c.id as comercio, c.nombre as comercio_nombre, l.moneda, l.guias, l.cobrado, l.ajustes, l.desde, l.hasta,
        l.creada_en, l.pagada_en, l.referencia_pago
      from comercios c cross join lateral (
        select * from liquidaciones where comercio_id = c.id and id >= $1 and id < $2 order by id desc limit $3
      ) l
      where c.prueba_de is null order by l.id desc limit $3`,
    values: [firstIdAt(Date.now() - EXPORTED_DAYS * 86_400_000), after ?? HIGHEST_ID, limit],
    types: exactTypes,
  };
}
