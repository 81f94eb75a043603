import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../database/coalescer.js';
import { Database } from '../../database/database.js';
import { isFaultOfOneRow, isPastDeadline } from '../../database/sqlstate.js';
import { insertGuias, type GuiaInsert, type InsertOutcome, type Traced } from '../guias.queries.js';

/** One statement at a time, and another beside one that is slow; each takes a connection. */
const CONCURRENCY = 2;

/** Guides in a statement. Only a burst fills it; the fewer statements it takes, the sooner its last guide is answered. */
const MAX_BATCH = 128;

/**
 * Inserts guides; those that arrive at the same time in one statement. A statement's own cost, from round trip to commit,
 * exceeds that of a guide in it.
 */
@Injectable()
export class GuiaInsertsService {
  private readonly coalescer = new Coalescer<GuiaInsert & Traced, InsertOutcome>(
    (guias, deadline) => this.write(guias, deadline),
    { concurrency: CONCURRENCY, maxBatch: MAX_BATCH, isFaultOfOneCall: isFaultOfOneRow, isPastDeadline },
  );

  constructor(private readonly database: Database) {}

  /**
   * @param deadline as `performance.now()` counts. After it the guide is not written any more, however long a free
   *   connection, the server or a lock takes.
   * @throws AppError `no_disponible` or a database error: the guide was not written.
   */
  insert(guia: GuiaInsert & Traced, deadline: number): Promise<InsertOutcome> {
    return this.coalescer.call(guia, deadline);
  }

  private async write(guias: (GuiaInsert & Traced)[], deadline: number): Promise<InsertOutcome[]> {
    // The same order everywhere, or two statements could deadlock on each other's references.
    const sorted = guias.length === 1 ? guias : guias.toSorted(byReference);
    const { rows } = await this.database.queryBefore<InsertOutcome>(deadline, (serverDeadlineMs) =>
      insertGuias(sorted, serverDeadlineMs),
    );
    if (guias.length === 1) return rows;
    const outcomes = new Map(rows.map((row) => [row.id, row]));
    return guias.map(({ id }) => outcomes.get(id)!);
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
