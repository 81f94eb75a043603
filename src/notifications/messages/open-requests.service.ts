import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
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

/** A guide whose recipient was asked and may still answer. */
export interface OpenRequest extends AnsweredGuia {
  /** Guide number. */
  guia: string;
}

/** Which guides a person may answer for. */
@Injectable()
export class OpenRequestsService {
  constructor(private readonly database: Database) {}

  /** The guides that wait for an answer, newest first; if there are none, those whose place may still be corrected. */
  async list(person: Recipient): Promise<OpenRequest[]> {
    const open = await this.find(person);
    const waiting = open.filter(isWaiting);
    return (waiting.length > 0 ? waiting : open).map(toOpenRequest);
  }

  /** The guides that wait for an answer, newest first. */
  async listWaiting(person: Recipient): Promise<OpenRequest[]> {
    return (await this.find(person)).filter(isWaiting).map(toOpenRequest);
  }

  /** The guide of our message that a person answers, by the provider's id of that message. */
  async findAnswered(proveedorId: string, person: Recipient): Promise<OpenRequest | undefined> {
    const { rows } = await this.database.query<MessageGuiaRow>(findAskedGuia(proveedorId, person));
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
    const { rows } = await this.database.query<AskedGuiaRow>(findAskedGuias(person));
    return rows.filter((row) => isConfirmable(row, row.ahora));
  }
}

const toOpenRequest = (row: MessageGuiaRow): OpenRequest => ({ ...toAnsweredGuia(row), guia: row.guia });

const isWaiting = ({ direccion_confirmada }: AskedGuiaRow) => !direccion_confirmada;
