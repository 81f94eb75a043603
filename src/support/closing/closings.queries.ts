import type { QueryConfig } from 'pg';
import { quoted } from '../../platform/database/quoted.js';
import { canMove, FINAL_ESTADOS, GUIA_ESTADOS } from '../../guias/guia/guia-estado.js';

/** States of guides that are not picked up yet: closing their merchant cancels them. */
const CANCELLED_FROM = GUIA_ESTADOS.filter((estado) => canMove(estado, 'cancelado'));

const IS_CANCELLED = `estado in (${quoted(CANCELLED_FROM)})`;

/** SQL: the merchant `$1` and its test twin. */
const OWN = '(id = $1 or prueba_de = $1)';

/** @returns a row for each transaction of the service that began before `at`, a time of the server's clock, and goes on. */
export function olderTransactions(at: string): QueryConfig {
  const text = `select pid from pg_stat_activity
    where datname = current_database() and usename = current_user and xact_start < $1::timestamptz`;
  return { text, values: [at] };
}

/** Locks a merchant: of two that close it, or make its test twin, one waits. */
export function lockMerchant(comercioId: string): QueryConfig {
  return { text: 'select from comercios where id = $1 for no key update', values: [comercioId] };
}

/** The merchant and its test twin. */
export function ownMerchants(comercioId: string): QueryConfig {
  return { text: `select id from comercios where ${OWN} order by id`, values: [comercioId] };
}

/** Closes a merchant that is open, with its test twin, and ends the sessions of the panel. */
export function closeMerchant(comercioId: string, usuario: string | null): QueryConfig {
  return {
    text: `with cerrado as (
        update comercios set cerrado_en = clock_timestamp(), cerrado_por = $2, cierre_hecho_en = null,
          cierre_visto_en = null
        where ${OWN} and cerrado_en is null returning id
      )
      delete from panel_sesiones where comercio_id in (select id from cerrado) or clave_id in (
        select k.id from claves_api k join cerrado on cerrado.id = k.comercio_id)`,
    values: [comercioId, usuario],
  };
}

export function reopenMerchant(comercioId: string): QueryConfig {
  return {
    text: `update comercios set cerrado_en = null, cerrado_por = null, cierre_hecho_en = null, cierre_visto_en = null
      where ${OWN}`,
    values: [comercioId],
  };
}

/** A guide that the closing cancels. */
export interface DoomedGuia {
  comercio_id: string;
  guia: string;
  /** Who of staff closed the merchant; null for the command. */
  usuario: string | null;
}

/** Notes that a process is at the closing, so that no other takes it for left. */
export function markClosing(comercioId: string): QueryConfig {
  return {
    text: `update comercios set cierre_visto_en = clock_timestamp()
      where id = $1 and cerrado_en is not null and cierre_hecho_en is null`,
    values: [comercioId],
  };
}

/** Guides of a closed merchant that are still to be cancelled; none once it is open again. */
export function doomedGuias(comercioId: string, limit: number): QueryConfig {
  return {
    text: `select c.id as comercio_id, c.cerrado_por as usuario, g.guia from comercios c
      cross join lateral (select guia from guias where comercio_id = c.id and ${IS_CANCELLED} limit $2) g
      where (c.id = $1 or c.prueba_de = $1) and c.cerrado_en is not null limit $2`,
    values: [comercioId, limit],
  };
}

/** Notes that all is cancelled: the endpoints hear of what was recorded until now, and of nothing later. */
export function settleClosing(comercioId: string): QueryConfig {
  return {
    text: `with hecho as (
        update comercios set cierre_hecho_en = clock_timestamp()
        where ${OWN} and cerrado_en is not null and cierre_hecho_en is null returning id, cierre_hecho_en
      )
      update webhooks w set termina_en = hecho.cierre_hecho_en from hecho
      where w.comercio_id = hecho.id and w.eliminado_en is null and w.termina_en is null`,
    values: [comercioId],
  };
}

/** SQL: a closing that no process was at for `$1` seconds. */
const IS_LEFT = `cierre_hecho_en is null and coalesce(cierre_visto_en, cerrado_en) < now() - $1 * interval '1 second'`;

/** Closings that a process left half done, the first closed first. @param olderS seconds; younger ones are under way. */
export function leftClosings(olderS: number): QueryConfig {
  return {
    text: `select id from comercios where prueba_de is null and ${IS_LEFT} order by cerrado_en`,
    values: [olderS],
  };
}

/** Takes a closing that is left. @returns no row where another process took it, or it is open again. */
export function takeClosing(comercioId: string, olderS: number): QueryConfig {
  return {
    text: `update comercios set cierre_visto_en = clock_timestamp() where ${IS_LEFT} and id = $2 returning id`,
    values: [olderS, comercioId],
  };
}

/** Consequences of closing a merchant for its real guides; numbers above the limit are the limit and one. */
export interface ClosingOutlook {
  /** Not picked up yet: cancelled. */
  canceladas: number;
  /** With the courier: they go on. */
  siguen: number;
}

export function closingOutlook(comercioId: string, limit: number): QueryConfig {
  const count = (where: string) =>
    `(select count(*)::int from (select from guias where comercio_id = $1 and ${where} limit ${limit + 1}) g)`;
  const others = GUIA_ESTADOS.filter((e) => !CANCELLED_FROM.includes(e) && !FINAL_ESTADOS.includes(e));
  return {
    text: `select ${count(IS_CANCELLED)} as canceladas, ${count(`estado in (${quoted(others)})`)} as siguen`,
    values: [comercioId],
  };
}
