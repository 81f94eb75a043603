import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import type { EventoTipo } from '../../events/evento-tipo.js';
import { dispatchedAt } from '../../events/record-evento.js';
import { traceparent } from '../../tracing/spans.js';
import { metresBetween } from '../../locations/distance.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import { byIdOrGuia, lookupColumnOf, whereMode } from '../guia-lookup.js';
import { previousEstados, type GuiaEstado } from '../guia-estado.js';
import type { Motivo } from '../guia-motivo.js';

/** Minutes by which an operator's clock may be slow: a legal move is late if it is older than the last by more than that. */
const SLOW_CLOCK_MINUTES = 5;

/** Metres from the destination; a delivery further away gets a warning. */
const FAR_M = 300;

/** A move as reported by an operator or a merchant. */
export interface Movimiento {
  /** The state the guide moved to. */
  estado: GuiaEstado;
  motivo?: Motivo;
  nota?: string;
  /** Where it happened. */
  lat?: number;
  lng?: number;
  /** The amount collected; with `entregado` only, and required there if an amount is due. */
  cod_cobrado?: number;
  /** Who received the parcel; with `entregado` only. */
  recibio?: string;
  /** ISO 8601; absent: now. */
  ocurrido_en?: string;
  /** The operator's idempotency key: one event for each operator, guide and `ref`. */
  ref?: string;
}

/** What the statement of a move found and did. */
export interface MoveRow {
  guia: string;
  id: string;
  /** The state before the move. */
  estado: GuiaEstado;
  /** A move with a later time was already applied: the event is recorded but does not move the guide. */
  es_tarde: boolean;
  /** Of the new event; null if the move is illegal, lacks its amount or is a repeat. */
  secuencia: number | null;
  /** The event that the move repeats: with the same `ref`, or the cancellation of a cancelled guide. */
  repetido: {
    id: string;
    tipo: EventoTipo;
    secuencia: number;
    ocurrido_en: string | null;
    datos: Record<string, unknown>;
  } | null;
}

/** SQL of a warning's code, checked against the list of warnings. */
const code = (advertencia: GuiaAdvertencia) => `'${advertencia}'`;

/**
 * `actual` locks the guide, so the state it reads is current even after a wait. The rest happens only if the move is
 * legal, complete and not a repeat. `ahora` is the timestamp of all changes; `now()` would be before the wait.
 */
const move = (by: string) => `with actual as (
  select comercio_id, id, guia, estado, cod_amount,
    coalesce($2::timestamptz(3) < estado_en - case when estado = any ($6)
      then interval '${SLOW_CLOCK_MINUTES} minutes' else interval '0' end, false) as es_tarde,
    case when $5 = 'entregado' then ${metresBetween(
      { lat: 'destino_lat', lng: 'destino_lng' },
      { lat: '$11::float8', lng: '$12::float8' },
    )} end as distancia_m
  from guias where ${by} for update
), repetido as (
  select e.id, e.tipo, e.secuencia, e.ocurrido_en, e.datos from actual a
  join eventos e on e.comercio_id = a.comercio_id and e.guia_id = a.id
  where e.operador_id = $3 and e.ref = $4
    or $5 = 'cancelado' and a.estado = 'cancelado' and e.tipo = 'guia.cancelada'
  order by (e.operador_id = $3 and e.ref = $4) desc nulls last limit 1
), posible as (
  select *, $5 = 'entregado' and not es_tarde and cod_amount <> coalesce($7::numeric, 0) as difiere,
    not es_tarde and coalesce(distancia_m > ${FAR_M}, false) as esta_lejos,
    clock_timestamp()::timestamptz(3) as ahora
  from actual where (es_tarde or estado = any ($6))
    and not ($5 = 'entregado' and cod_amount > 0 and $7::numeric is null)
    and not exists (select from repetido)
), movida as (
  update guias g set
    estado = case when p.es_tarde then g.estado else $5 end,
    estado_en = case when p.es_tarde then g.estado_en
      else greatest(g.estado_en, least(coalesce($2::timestamptz(3), p.ahora), p.ahora)) end,
    advertencias = g.advertencias || case when p.difiere then array[${code('cod_distinto')}] else '{}' end
      || case when p.esta_lejos then array[${code('entrega_lejos')}] else '{}' end,
    version = g.version + case when p.difiere then 2 else 1 end,
    actualizada_en = case when p.es_tarde then g.actualizada_en else greatest(g.actualizada_en, p.ahora) end
  from posible p where g.comercio_id = p.comercio_id and g.id = p.id
  returning p.*, g.version, case when p.difiere then g.version - 1 else g.version end as secuencia
), evento as (
  insert into eventos (comercio_id, guia_id, id, tipo, actor, secuencia, creado_en, ocurrido_en,
    operador_id, ref, despachado_en, datos, traza)
  select comercio_id, id, $8::uuid,
    case when es_tarde then 'guia.evento_tardio' when $5 = 'cancelado' then 'guia.cancelada'
      else 'guia.estado_cambiado' end,
    case when $3::uuid is null then 'comercio' else 'operador' end, secuencia, ahora, $2, $3, $4,
    case when es_tarde then ${dispatchedAt('guia.evento_tardio')}
      else ${dispatchedAt('guia.estado_cambiado')} end,
    $9::jsonb || jsonb_strip_nulls(jsonb_build_object('distancia_m', distancia_m,
      'estado_anterior', case when not es_tarde then estado end)), $13::text
  from movida
), cobro as (
  insert into cobros (comercio_id, guia_id, cod_amount, cod_cobrado, cobrado_en, estado)
  select comercio_id, id, cod_amount, $7::numeric,
    greatest(least(coalesce($2::timestamptz(3), ahora), ahora), to_timestamp(0)), 'cobrado'
  from movida where $5 = 'entregado' and not es_tarde and (cod_amount > 0 or $7::numeric > 0)
), diferencia as (
  insert into eventos (comercio_id, guia_id, id, tipo, actor, secuencia, creado_en, despachado_en, datos)
  select comercio_id, id, $10::uuid, 'guia.cod_distinto', 'operador', version, ahora,
    ${dispatchedAt('guia.cod_distinto')},
    jsonb_build_object('cod_amount', cod_amount, 'cod_cobrado', $7::numeric)
  from movida where difiere
)
select a.guia, a.id, a.estado, a.es_tarde, m.secuencia, to_jsonb(r) as repetido
from actual a left join movida m on true left join repetido r on true`;

/** Of any merchant. */
const REAL = byIdOrGuia('guia-move', move, whereMode(false));
const TEST = byIdOrGuia('guia-move-test', move, whereMode(true));

const OF_MERCHANT = byIdOrGuia('guia-move-own', move, 'comercio_id = $14');

/**
 * Who moves a guide: a merchant, one of its own; an operator, one of the merchant that is named; or an operator, one of any
 * merchant, real or test.
 */
export type Mover =
  | { comercioId: string; operadorId?: string }
  | { operadorId: string; comercioId?: undefined; isTest: boolean };

/** Moves a guide and records it, or reports why not, in one statement. No row: unknown guide. */
export function moveGuia(
  idOrGuia: string,
  { estado, ocurrido_en, ref, ...datos }: Movimiento,
  by: Mover,
  eventoId: string,
): QueryConfig {
  const operadorId = by.operadorId ?? null;
  const values = [
    idOrGuia,
    ocurrido_en,
    operadorId,
    ref,
    estado,
    previousEstados(estado),
    datos.cod_cobrado,
    eventoId,
    { estado, ...datos },
    v7(),
    datos.lat,
    datos.lng,
    traceparent(),
  ];
  const column = lookupColumnOf(idOrGuia);
  if (by.comercioId !== undefined) return { ...OF_MERCHANT[column], values: [...values, by.comercioId] };
  return { ...(by.isTest ? TEST : REAL)[column], values };
}
