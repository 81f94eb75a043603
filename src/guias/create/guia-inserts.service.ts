import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../platform/database/coalescer.js';
import { Database } from '../../platform/database/database.js';
import { isFaultOfOneRow, isPastDeadline } from '../../platform/database/sqlstate.js';
import { insertGuias, type GuiaInsert, type InsertOutcome, type Traced } from './guia-inserts.queries.js';

/** One statement at a time, and a second one while the first is slow; each uses a connection. */
const CONCURRENCY = 2;

/** Maximum guides per statement. Only a burst reaches it; fewer statements mean that its last guide is answered sooner. */
const MAX_BATCH = 128;

/** Inserts guides, concurrent ones in one statement, whose fixed cost exceeds that of a guide in it. */
@Injectable()
export class GuiaInsertsService {
  private readonly coalescer = new Coalescer<GuiaInsert & Traced, InsertOutcome | undefined>(
    (guias, deadline) => this.write(guias, deadline),
    { concurrency: CONCURRENCY, maxBatch: MAX_BATCH, isFaultOfOneCall: isFaultOfOneRow, isPastDeadline },
  );

  constructor(private readonly database: Database) {}

  /**
   * @returns undefined where its merchant is closed.
   * @param deadline as a `performance.now()` timestamp. After it the guide is not written, however long the wait for a
   *   connection, the server or a lock.
   * @throws AppError `no_disponible` or a database error: the guide was not written.
   */
  insert(guia: GuiaInsert & Traced, deadline: number): Promise<InsertOutcome | undefined> {
    return this.coalescer.call(guia, deadline);
  }

  private async write(
    guias: (GuiaInsert & Traced)[],
    deadline: number,
  ): Promise<(InsertOutcome | undefined)[]> {
    // Always in the same order, or two statements could deadlock on each other's references.
    const sorted = guias.toSorted(byReference);
    const { rows } = await this.database.queryBefore<InsertOutcome>(deadline, (serverDeadlineMs) =>
      insertGuias(sorted, serverDeadlineMs),
    );
    const outcomes = new Map(rows.map((row) => [row.id, row]));
    return guias.map(({ id }) => outcomes.get(id));
  }
}

function byReference(one: GuiaInsert, other: GuiaInsert): number {
  return (
    compare(one.comercio_id, other.comercio_id) || compare(one.external_ref ?? '', other.external_ref ?? '')
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
