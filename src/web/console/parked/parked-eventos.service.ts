import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { parkedEventos, type ParkedEventoRow } from '../../../platform/events/outbox.queries.js';

/** Events that are listed. */
export const LIST_SIZE = 60;

/** The events that were parked because they could not be dispatched. */
@Injectable()
export class ParkedEventosService {
  constructor(private readonly database: Database) {}

  /** The events that are tried again first, at most 60. */
  async list(): Promise<ParkedEventoRow[]> {
    return (await this.database.staff.query<ParkedEventoRow>(parkedEventos(LIST_SIZE))).rows;
  }
}
