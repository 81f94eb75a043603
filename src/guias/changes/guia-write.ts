import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { sql, type Sql } from '../../platform/database/sql.js';
import { isRelayed } from '../../platform/events/evento-tipo.js';
import { recordEventos, type NewEvento } from '../../platform/events/record-eventos.js';
import { forgetSeen } from '../advertencias-vistas.queries.js';
import { without } from '../guia/advertencia-rules.js';
import type { GuiaAdvertencia } from '../guia/guia-advertencia.js';
import { inCash } from '../guia/pago.js';
import { indexGuia } from '../search/search-index.queries.js';
import { by, type Author, type GuiaEvento } from './author.js';
import { caja } from './guia-caja.queries.js';
import { insertCobro, saveDue, type DeliveredCobro } from './guia-cobros.queries.js';
import { updateGuia, type ColumnsWrite, type CurrentGuia } from './guia-changes.queries.js';

export interface GuiaWrite extends ColumnsWrite {
  eventos: GuiaEvento[];
  /** By a delivery of a guide that has no amount yet. */
  collected?: DeliveredCobro;
  /** Whether merchants do not see it, so that version and `actualizada_en` stay. */
  isHidden?: boolean;
}

/** The row that the statement of a write returns. */
export type WrittenRow = Partial<CurrentGuia>;

/** Sets a guide's driver, null for nobody. */
export const assignment = (piloto_id: string | null, author: Author): GuiaWrite => ({
  columns: { piloto_id },
  eventos: [by(author, { tipo: 'guia.asignada', datos: { piloto: piloto_id } })],
  isHidden: true,
});

/** Takes back warnings; undefined where the guide has none of them. */
export function clearing(
  advertencias: readonly string[],
  resolved: readonly GuiaAdvertencia[],
): GuiaWrite | undefined {
  const others = without(advertencias, resolved);
  return others.length < advertencias.length ? { columns: { advertencias: others }, eventos: [] } : undefined;
}

/**
 * The one statement that writes columns of a guide, records what happened, and what follows from either. Each event gets the next
 * version; the event of a new warning gets the last of these. All have the guide's state after them as `datos.estado`. Without
 * columns the guide's `actualizada_en` stays; without events its version still rises.
 * @param xmin of a guide that was read without a lock: no row, and nothing is written, where it has changed since.
 * @returns it, whether one of its events is to be relayed, and what the next write of a transaction goes on from.
 */
export function writeGuia(
  guia: CurrentGuia,
  write: GuiaWrite,
  xmin?: string,
): { statement: QueryConfig; hasRelayed: boolean; guia: CurrentGuia } {
  const { columns, eventos, collected, isHidden = false } = write;
  const { estado = guia.estado, advertencias = guia.advertencias } = columns;
  const versions = isHidden ? 0 : Math.max(eventos.length, 1);
  const after = { ...guia, estado, advertencias, version: guia.version + versions };
  const numbered = ({ id = v7(), ...evento }: GuiaEvento, secuencia: number): NewEvento => {
    // The event's own state wins: a late one has the state that was reported.
    const datos = { estado, ...evento.datos };
    return { ...evento, id, secuencia, datos };
  };
  const recorded = [
    ...eventos.map((evento, i) => numbered(evento, Math.min(guia.version + i + 1, after.version))),
    ...missingIn(guia.advertencias, advertencias).map((codigo) =>
      numbered({ tipo: 'guia.advertencia', actor: 'sistema', datos: { codigo } }, after.version),
    ),
  ];
  const cleared = missingIn(advertencias, guia.advertencias);
  const { piloto = null } = collected ?? {};
  const cash = collected ? inCash(collected) : 0;
  const parts: Record<string, Sql | false | undefined> = {
    olvido: cleared.length > 0 && forgetSeen(cleared),
    debido: columns.cod_amount !== undefined && saveDue(columns.cod_amount),
    buscada: columns.destinatario !== undefined && indexGuia(),
    cobro: collected && insertCobro(guia, collected),
    caja:
      piloto !== null &&
      cash > 0 &&
      sql`${caja(guia, piloto, { now: cash, before: null })} and exists (select from cambio)`,
  };
  const also = Object.entries(parts).filter((part): part is [string, Sql] => Boolean(part[1]));
  const { name, ...change } = updateGuia(guia, write, versions, xmin);
  const names = name === undefined ? undefined : [name, ...also.map(([part]) => part)];
  return {
    statement: recordEventos({ ...change, name: names?.join('-'), also }, recorded),
    hasRelayed: recorded.some(({ tipo }) => isRelayed(tipo)),
    guia: after,
  };
}

const missingIn = (some: readonly string[], all: readonly string[]) =>
  all.filter((one) => !some.includes(one));
