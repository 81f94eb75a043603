import type { QueryConfig } from 'pg';
import { empty, raw, sql, statement } from '../../platform/database/sql.js';
import { HIGHEST_ID, isUuid } from '../../platform/database/row-id.js';
import type { TextRow } from '../../platform/database/text-row.js';
import { asIso } from '../../platform/database/text-types.js';
import type { FailedMessage } from '../notifications.queue.js';
import type { MensajeTipo } from '../providers/messaging-provider.js';
import type { MensajeIntento } from './mensaje-intento.entity.js';
import type { Mensaje } from './mensaje.entity.js';

/** A column as ISO 8601, under its own name. */
const ISO = (column: string) => `${asIso(`m.${column}`)} as ${column}`;

type TryEntry = TextRow<MensajeIntento, 'en' | 'resultado' | 'causa' | 'veces'>;

export interface HistoryEntry extends TextRow<
  Mensaje,
  | 'id'
  | 'tipo'
  | 'estado'
  | 'proveedor'
  | 'intentos'
  | 'causa'
  | 'creado_en'
  | 'actualizado_en'
  | 'proximo_en'
> {
  /** Id of the job that shows its failure on the board; null unless it failed. */
  tarea: string | null;
  /** Each try, oldest first; empty for messages of versions that kept none. */
  historial: TryEntry[];
}

const TRIES = `(select coalesce(json_agg(json_build_object('en', ${asIso('i.en')}, 'resultado', i.resultado, 'causa', i.causa,
    'veces', i.veces) order by i.en, i.id), '[]') from mensaje_intentos i where i.mensaje_id = m.id)`;

const OF_GUIA = `select m.id, m.tipo, m.estado, m.proveedor, m.proveedor_id, m.ronda, m.intentos, m.causa,
    ${ISO('creado_en')}, ${ISO('actualizado_en')}, ${ISO('proximo_en')}, ${TRIES} as historial
  from guias g left join mensajes m on m.guia_id = g.id and m.comercio_id = g.comercio_id
  where g.guia = $1
  order by m.id`;

/** The messages of a guide, oldest first; one row of nulls where it has none. */
export function findMensajesOfGuia(guia: string): QueryConfig {
  return { text: OF_GUIA, values: [guia] };
}

export type HistoryRow = Omit<HistoryEntry, 'tarea'> & FailedMessage;

/** A message that the sandbox kept, without its text. */
export interface SandboxRow {
  id: string;
  tipo: MensajeTipo;
  telefono: string;
  nombre: string;
  guia: string;
  guia_id: string;
  de_prueba: boolean;
  comercio: string;
  enlace_base: string;
  creado_en: string;
}

const SANDBOX = `select m.id, m.tipo, m.telefono, g.destinatario as nombre, g.guia, m.guia_id, g.de_prueba,
    c.nombre as comercio, m.enlace_base, ${ISO('creado_en')}
  from mensajes m
  join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  join comercios c on c.id = m.comercio_id
  where m.proveedor = 'sandbox' and m.proveedor_id is not null`;

/** Messages that the sandbox accepted, newest first. */
export function findSandboxInbox(limit: number): QueryConfig {
  return { text: `${SANDBOX} order by m.id desc limit $1`, values: [limit] };
}

/** The first `rows` messages to a merchant's recipients after `after`, newest first. @param guia id or number. */
export function listSandboxOf(
  comercioId: string,
  guia: string | undefined,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  const by = guia === undefined ? undefined : isUuid(guia) ? 'id' : 'guia';
  const ofGuia = {
    id: sql`and m.guia_id = ${guia}`,
    guia: sql`and m.guia_id = (select id from guias where comercio_id = ${comercioId} and guia = ${guia})`,
  };
  return statement(
    sql`${raw(SANDBOX)} and m.comercio_id = ${comercioId} and m.id < ${after?.id ?? HIGHEST_ID}
      ${by ? ofGuia[by] : empty} order by m.id desc limit ${rows}`,
    { name: ['mensajes-sandbox', ...(by ? [by] : [])].join('-'), once: comercioId },
  );
}
