import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { ConfirmationsService } from '../../confirmations/confirmations.service.js';
import { Database } from '../../platform/database/database.js';
import type { MensajeTipo } from '../providers/messaging-provider.js';
import { failedJobIds } from '../notifications.queue.js';
import { messageText } from './message-text.js';
import {
  findMensajesOfGuia,
  findSandboxInbox,
  type HistoryEntry,
  type HistoryRow,
  listSandboxOf,
  type SandboxRow,
} from './message-history.queries.js';

/** A message that the sandbox kept, as its recipient would have received it. */
export interface SandboxMessage extends Omit<SandboxRow, 'enlace_base' | 'nombre'> {
  texto: string;
  /** The recipient's page; null where the message has no link. */
  enlace: string | null;
}

/** In place of a PIN, which only the recipient sees: in the message, and on their page. */
const HIDDEN_PIN = '····';

const INBOX_SIZE = 1_000;

@Injectable()
export class MessageHistoryService {
  constructor(
    private readonly database: Database,
    private readonly confirmations: ConfirmationsService,
  ) {}

  /** The messages of a guide, oldest first; undefined where no guide has the number. */
  async listByGuia(guia: string): Promise<HistoryEntry[] | undefined> {
    const { rows } = await this.database.query<HistoryRow>(findMensajesOfGuia(guia));
    if (rows.length === 0) return undefined;
    return rows.filter((row) => (row.id as string | null) !== null).map(toHistoryEntry);
  }

  /** Messages that the sandbox accepted, newest first, at most 1,000. */
  async listSandboxInbox(): Promise<SandboxMessage[]> {
    const { rows } = await this.database.query<SandboxRow>(findSandboxInbox(INBOX_SIZE));
    return rows.map((row) => this.toSandboxMessage(row));
  }

  /**
   * Messages that the sandbox accepted for a merchant's guides, newest first: a page of all, or of one guide's.
   * @param guia id or number.
   */
  async listSandboxOf(
    merchant: Pick<Merchant, 'id'>,
    guia: string | undefined,
    page: { after?: { id: string }; rows: number },
  ): Promise<SandboxMessage[]> {
    const { rows } = await this.database.query<SandboxRow>(listSandboxOf(merchant.id, guia, page));
    return rows.map((row) => this.toSandboxMessage(row));
  }

  /** A message as plain text, and its link; WhatsApp's template says the same in its own words. @param origin of the link. */
  textOf(
    { id, tipo }: { id: string; tipo: MensajeTipo },
    about: { nombre: string; comercio: string; guia: string },
    origin: string,
  ): { texto: string; enlace: string | null } {
    const enlace = tipo === 'confirmacion_ubicacion' ? `${origin}/c/${this.confirmations.token(id)}` : null;
    return { texto: messageText(tipo, { ...about, enlace, pin: HIDDEN_PIN }), enlace };
  }

  private toSandboxMessage({ enlace_base, nombre, ...row }: SandboxRow): SandboxMessage {
    return { ...row, ...this.textOf(row, { ...row, nombre }, enlace_base) };
  }
}

/** WhatsApp's ids contain the phone: they stay here. */
function toHistoryEntry({ ronda, proveedor_id, ...row }: HistoryRow): HistoryEntry {
  const [tarea] = failedJobIds({ id: row.id, ronda, proveedor_id });
  return { ...row, tarea: row.estado === 'fallido' ? tarea! : null };
}
