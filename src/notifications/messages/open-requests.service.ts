import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { toAnsweredGuia, type AnsweredGuia } from '../../guias/changes/recipient-answer.js';
import { isConfirmable } from '../../guias/changes/confirmable.js';
import {
  findAskedGuia,
  findAskedGuias,
  type AskedGuiaRow,
  type MessageGuiaRow,
} from './open-requests.queries.js';
import type { Recipient } from './recipient.js';

/** The payload of a choice between guides. */
const CHOICE = /^elegir:([0-9a-f-]{36}):([0-9a-f-]{36})$/;

/** WhatsApp's limit for a list. */
const MAX_OPTIONS = 10;

export interface OpenRequest extends AnsweredGuia {
  guia: string;
  /** The recipient's name; may be empty. */
  destinatario: string;
}

@Injectable()
export class OpenRequestsService {
  constructor(private readonly database: Database) {}

  /** The guides that wait for an answer, newest first; if there are none, those whose place may still be corrected. */
  async list(person: Recipient): Promise<OpenRequest[]> {
    return openOf(await this.find(person)).map(toOpenRequest);
  }

  /**
   * The guides that a place may be for which a person sent at `sentAt`, without quoting a message: as `list`; if there are
   * none, the newest, which takes no place any more. A place that was sent before a request does not answer it.
   * @param sentAt ISO 8601 with milliseconds.
   */
  async listFor(person: Recipient, sentAt: string): Promise<OpenRequest[]> {
    const asked = (await this.find(person)).filter(({ pedida_en }) => pedida_en <= sentAt);
    const open = openOf(asked);
    return (open.length > 0 ? open : asked.slice(0, 1)).map(toOpenRequest);
  }

  /**
   * The guides that a person may deny who quotes no message, newest first: those that wait for an answer; if there are none,
   * all that the person was asked about.
   * @param sentAt as for `listFor`.
   */
  async listDeniable(person: Recipient, sentAt: string): Promise<OpenRequest[]> {
    const asked = (await this.find(person)).filter(({ pedida_en }) => pedida_en <= sentAt);
    const waiting = asked.filter(isWaiting);
    return (waiting.length > 0 ? waiting : asked).map(toOpenRequest);
  }

  /** The guides that wait for an answer, newest first. */
  async listWaiting(person: Recipient): Promise<OpenRequest[]> {
    return (await this.find(person)).filter(isWaiting).map(toOpenRequest);
  }

  /** The guide of a message of ours that is quoted, by the provider's id of that message. */
  async findAnswered(proveedorId: string): Promise<OpenRequest | undefined> {
    const { rows } = await this.database.query<MessageGuiaRow>(findAskedGuia(proveedorId));
    return rows[0] && toOpenRequest(rows[0]);
  }

  /** The choices offered when a location could be for several guides. */
  async listOptions(mensaje: Recipient & { id: string }): Promise<{ id: string; titulo: string }[]> {
    const open = await this.list(mensaje);
    return open
      .slice(0, MAX_OPTIONS)
      .map(({ guia, guiaId }) => ({ id: `elegir:${mensaje.id}:${guiaId}`, titulo: `Guía ${guia}` }));
  }

  /** Reads a choice: which incoming location it is about, and the guide that was chosen. */
  readChoice(payload: string): { entranteId: string; guiaId: string } | undefined {
    const [, entranteId, guiaId] = CHOICE.exec(payload) ?? [];
    return entranteId === undefined || guiaId === undefined ? undefined : { entranteId, guiaId };
  }

  private async find(person: Recipient): Promise<AskedGuiaRow[]> {
    return (await this.database.query<AskedGuiaRow>(findAskedGuias(person))).rows;
  }
}

const toOpenRequest = (row: MessageGuiaRow): OpenRequest => ({
  ...toAnsweredGuia(row),
  guia: row.guia,
  destinatario: row.destinatario,
});

const isWaiting = (row: AskedGuiaRow) => isConfirmable(row) && !row.direccion_confirmada;

function openOf(asked: AskedGuiaRow[]): AskedGuiaRow[] {
  const waiting = asked.filter(isWaiting);
  return waiting.length > 0 ? waiting : asked.filter(isConfirmable);
}
