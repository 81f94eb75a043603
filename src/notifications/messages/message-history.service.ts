import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { MensajeEstado } from './mensaje-estado.js';
import type { MensajeTipo } from '../providers/messaging-provider.js';

/** A message as support sees it. */
export interface HistoryEntry {
  id: string;
  tipo: MensajeTipo;
  estado: MensajeEstado;
  proveedor: string | null;
  /** Tries so far. */
  intentos: number;
  /** Why it failed or was left out, in Spanish. */
  causa: string | null;
  /** ISO 8601. */
  creado_en: string;
  actualizado_en: string;
}

/** A message that the sandbox kept, as its recipient would have received it. */
export interface SandboxMessage {
  id: string;
  tipo: MensajeTipo;
  telefono: string;
  nombre: string;
  guia: string;
  comercio: string;
  enlaceBase: string;
  creado_en: string;
}

/** Newest messages of the sandbox that are shown. */
const INBOX_SIZE = 1_000;

const ISO = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column.split('.').at(-1)}`;

const OF_GUIA = `select m.id, m.tipo, m.estado, m.proveedor, m.intentos, m.causa, ${ISO('m.creado_en')}, ${ISO('m.actualizado_en')}
  from guias g left join mensajes m on m.guia_id = g.id and m.comercio_id = g.comercio_id
  where g.guia = $1 order by m.id`;

const SANDBOX = `select m.id, m.tipo, m.telefono, g.destinatario as nombre, g.guia, c.nombre as comercio,
    m.enlace_base as "enlaceBase", ${ISO('m.creado_en')}
  from mensajes m
  join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  join comercios c on c.id = m.comercio_id
  where m.proveedor = 'sandbox' and m.proveedor_id is not null
  order by m.id desc limit ${INBOX_SIZE}`;

/** What became of messages, for people. */
@Injectable()
export class MessageHistoryService {
  constructor(private readonly database: Database) {}

  /** The messages of a guide, oldest first; undefined where no guide has the number. */
  async ofGuia(guia: string): Promise<HistoryEntry[] | undefined> {
    const { rows } = await this.database.query<HistoryEntry>({ text: OF_GUIA, values: [guia] });
    if (rows.length === 0) return undefined;
    return rows.filter((row) => (row.id as string | null) !== null);
  }

  /** What the sandbox took, newest first, at most 1,000. */
  async sandboxInbox(): Promise<SandboxMessage[]> {
    const { rows } = await this.database.query<SandboxMessage>({ text: SANDBOX });
    return rows;
  }
}
