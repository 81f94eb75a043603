import { asIso } from '../../platform/database/text-types.js';
import { raw, sql, type Sql } from '../../platform/database/sql.js';
import { quoted } from '../../platform/database/quoted.js';
import { MOVE_TIPOS } from '../guia/standing-moves.js';
import { IS_UNAPPLIED } from './no-aplicados.js';
import type { TextRow } from '../../platform/database/text-row.js';
import type { Evento } from '../../platform/events/evento.entity.js';

// Facts beside the guide that decide a change: columns of guide `g`, whose events change only with it.

/** SQL: the value of events `e` of the guide. @param rest conditions and what follows them. */
const ofEventos = (value: string, rest: string) =>
  `(select ${value} from eventos e where e.comercio_id = g.comercio_id and e.guia_id = g.id and ${rest})`;

export interface RecordedEvento extends TextRow<Evento, 'id' | 'tipo' | 'secuencia' | 'ocurrido_en'> {
  datos: Record<string, unknown>;
}

const RECORDED = `json_build_object('id', e.id, 'tipo', e.tipo, 'secuencia', e.secuencia,
    'ocurrido_en', ${asIso('e.ocurrido_en')}, 'datos', e.datos)`;

/** As `repetido`: the event that an operator or a driver recorded under this `ref`; null if there is none, or nobody of them. */
export const repeatedBy = (operadorId: string | null, ref: string | undefined): Sql =>
  sql`(select ${raw(RECORDED)} from eventos e where e.comercio_id = g.comercio_id and e.guia_id = g.id
    and e.operador_id = ${operadorId} and e.ref = ${ref}) as repetido`;

/** As `cancelacion`: the event that cancelled the guide, the last time. */
export const CANCELLATION = raw(
  `${ofEventos(RECORDED, `e.tipo = 'guia.cancelada' order by e.secuencia desc limit 1`)} as cancelacion`,
);

/** When a guide was first assigned to a driver, and the time by the database's clock. ISO 8601. */
export interface Assignment {
  /** Null if it never was. */
  desde: string | null;
  ahora: string;
}

/** An `Assignment`. @param pilotoId null: of nobody. */
export const assignmentTo = (pilotoId: string | null): Sql =>
  sql`clock_timestamp()::timestamptz(3) as ahora, (select min(e.creado_en) from eventos e where e.comercio_id = g.comercio_id and e.guia_id = g.id
    and e.tipo = 'guia.asignada' and e.datos->>'piloto' = ${pilotoId}) as desde`;

/** As `piloto`: the driver of a guide when something was recorded; null for nobody. @param at ISO 8601, by our clock. */
export const pilotoAt = (at: string): Sql =>
  sql`(select e.datos->>'piloto' from eventos e where e.comercio_id = g.comercio_id and e.guia_id = g.id
    and e.tipo = 'guia.asignada' and e.creado_en <= ${at} order by e.creado_en desc, e.id desc limit 1) as piloto`;

/** SQL: `MoveRow`s, the events that changed the guide's state, in order. */
export const MOVES = ofEventos(
  `coalesce(json_agg(json_build_object('tipo', e.tipo, 'actor', e.actor, 'operador_id', e.operador_id, 'secuencia', e.secuencia,
    'creado_en', ${asIso('e.creado_en')}, 'ocurrido_en', ${asIso('e.ocurrido_en')}, 'dicho_en', e.datos->>'dicho_en',
    'estado_anterior', e.datos->>'estado_anterior') order by e.secuencia), '[]')`,
  `e.tipo in (${quoted(MOVE_TIPOS)})`,
);

/** SQL: `NoAplicadoRow`s, the events that nobody has applied since, in order. */
export const UNAPPLIED = ofEventos(
  `coalesce(json_agg(json_build_object('id', e.id, 'actor', e.actor, 'operador_id', e.operador_id,
    'creado_en', ${asIso('e.creado_en')}, 'ocurrido_en', ${asIso('e.ocurrido_en')}, 'datos', e.datos) order by e.secuencia), '[]')`,
  IS_UNAPPLIED,
);

/** SQL: a column of the guide's merchant. */
export const ofMerchant = (column: string): string =>
  `(select c.${column} from comercios c where c.id = g.comercio_id)`;
