import type { QueryConfig } from 'pg';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { GuiaAdvertencia } from '../guia/guia-advertencia.js';
import type { GuiaKey } from '../guia/guia-key.js';

/** A row if the guide has any of the warnings. */
export function findAdvertencias(
  { comercioId, guiaId }: GuiaKey,
  advertencias: readonly GuiaAdvertencia[],
): QueryConfig {
  const text = 'select from guias where comercio_id = $1 and id = $2 and advertencias && $3';
  return { name: 'guia-advertencias', text, values: [comercioId, guiaId, advertencias] };
}

/** Facts beside the guide that decide whether a message warns. */
export interface MensajeContext {
  /** Whether the guide has the event already. */
  registrado: boolean;
  /** Whether the message went to a former phone of the guide. */
  de_otro_telefono: boolean;
}

/** A `MensajeContext` of guide `g`. @param mensajeId id of the event that asked for the message, too. */
export const ofMensaje = (mensajeId: string, eventoId: string): Sql =>
  sql`exists (select from eventos e
      where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.id = ${eventoId}) as registrado,
    exists (select from eventos e where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.id = ${mensajeId}
      and e.secuencia < coalesce(g.telefono_secuencia, 0)) as de_otro_telefono`;

/** As `fallido`: whether the message has failed. */
export const hasFailed = (mensajeId: string): Sql =>
  sql`exists (select from mensajes where id = ${mensajeId} and estado = 'fallido') as fallido`;
