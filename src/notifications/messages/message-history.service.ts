import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import {
  findMensajesOfGuia,
  findSandboxInbox,
  type HistoryEntry,
  type SandboxMessage,
} from './message-history.queries.js';

/** Messages of the sandbox that are shown. */
const INBOX_SIZE = 1_000;

/** What became of messages, for people. */
@Injectable()
export class MessageHistoryService {
  constructor(private readonly database: Database) {}

  /** The messages of a guide, oldest first; undefined where no guide has the number. */
  async listByGuia(guia: string): Promise<HistoryEntry[] | undefined> {
    const { rows } = await this.database.query<HistoryEntry>(findMensajesOfGuia(guia));
    if (rows.length === 0) return undefined;
    return rows.filter((row) => (row.id as string | null) !== null);
  }

  /** What the sandbox accepted, newest first, at most 1,000. */
  async listSandboxInbox(): Promise<SandboxMessage[]> {
    const { rows } = await this.database.query<SandboxMessage>(findSandboxInbox(INBOX_SIZE));
    return rows;
  }
}
