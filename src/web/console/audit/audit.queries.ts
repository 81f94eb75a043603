import type { QueryConfig } from 'pg';
import { HIGHEST_ID } from '../../../platform/database/row-id.js';
import { sql, statement } from '../../../platform/database/sql.js';
import type { TextRow } from '../../../platform/database/text-row.js';
import { textTypes } from '../../../platform/database/text-types.js';
import type { Accion, Resultado } from './acciones.js';
import type { Auditoria } from './auditoria.entity.js';

/** Seconds without a sign of life after which a process counts as dead. */
const DEAD_S = 30;

/** Characters of a detail; the limit of the column. */
export const MAX_DETALLE = 500;

export interface Subject {
  guia?: string;
  comercioId?: string;
  webhookId?: string;
  /** Up to `MAX_DETALLE` characters; never a phone. */
  detalle?: string;
}

/** Returns the action's id; for a repeat of the user's form, the id of the first action. */
export function beginAction(
  id: string,
  clave: string,
  usuario: string,
  accion: Accion,
  { guia, comercioId, webhookId, detalle }: Subject,
  procesoId: string,
): QueryConfig {
  // The no-op update returns an existing row, also one just committed by another request, which `select` would miss.
  return statement(sql`insert into auditoria as a
      (id, clave, usuario, accion, guia, comercio_id, webhook_id, detalle, resultado, creado_en, proceso_id)
    values (${id}, ${clave}, ${usuario}, ${accion}, ${guia}, ${comercioId}, ${webhookId}, ${detalle}, 'en_curso',
      now(), ${procesoId})
    on conflict (clave) do update set clave = excluded.clave
      where a.usuario = excluded.usuario and a.accion = excluded.accion
        and a.guia is not distinct from excluded.guia and a.webhook_id is not distinct from excluded.webhook_id
    returning id, id = ${id}::uuid as es_nueva`);
}

/** Says that a process lives. Rows of processes that are long gone go. */
export function renewProcess(id: string): QueryConfig {
  return {
    text: `with gone as (delete from procesos where visto_en < now() - interval '1 day' and id <> $1)
      insert into procesos (id, visto_en) values ($1, now()) on conflict (id) do update set visto_en = now()`,
    values: [id],
  };
}

/** An action begun just now has its process, whether that said so already or not. */
const IS_DEAD = `a.resultado = 'en_curso' and a.creado_en < now() - interval '${DEAD_S} s' and not exists (
    select from procesos p where p.id = a.proceso_id and p.visto_en >= now() - interval '${DEAD_S} s')`;

/** Actions whose process is dead are `interrumpida`. A process that lives after all writes how they ended. */
export function interruptActions(): QueryConfig {
  return { text: `update auditoria a set resultado = 'interrumpida' where ${IS_DEAD}` };
}

/** Begins an action again whose process is dead: a row, if it is to be done by this process. */
export function resumeAction(id: string, procesoId: string): QueryConfig {
  return {
    text: `with alive as (
        insert into procesos (id, visto_en) values ($2, now()) on conflict (id) do update set visto_en = now()
      )
      update auditoria a set resultado = 'en_curso', nota = null, proceso_id = $2
      where id = $1 and (resultado = 'interrumpida' or ${IS_DEAD}) returning id`,
    values: [id, procesoId],
  };
}

/** @param nota the answer to the user, up to 500 characters. */
export function endAction(id: string, resultado: Resultado, nota: string | null): QueryConfig {
  const text = 'update auditoria set resultado = $2, nota = $3 where id = $1';
  return { text, values: [id, resultado, nota] };
}

/** The merchant of a test twin is its live merchant, because the twin has no page. */
export interface AuditRow extends TextRow<Auditoria, Exclude<keyof Auditoria, 'clave' | 'proceso_id'>> {
  comercio: string | null;
}

const LISTED = `select a.id, a.usuario, a.accion, a.guia, coalesce(c.prueba_de, a.comercio_id) as comercio_id,
    c.nombre as comercio, a.webhook_id, a.detalle, a.resultado, a.nota, a.creado_en
  from auditoria a left join comercios c on c.id = a.comercio_id`;

/** Actions before one of them, newest first. */
export function listActions(before: string | undefined, limit: number): QueryConfig {
  return {
    text: `${LISTED} where a.id < $1 order by a.id desc limit $2`,
    values: [before ?? HIGHEST_ID, limit],
    types: textTypes,
  };
}

/** The last actions on a guide, newest first. */
export function actionsOnGuia(guia: string, limit: number): QueryConfig {
  return {
    text: `${LISTED} where a.guia = $1 order by a.id desc limit $2`,
    values: [guia, limit],
    types: textTypes,
  };
}

export function findOutcome(id: string, usuario: string): QueryConfig {
  return {
    text: `select case when ${IS_DEAD} then 'interrumpida' else a.resultado end as resultado, a.nota, a.accion
      from auditoria a where a.id = $1 and a.usuario = $2`,
    values: [id, usuario],
  };
}
