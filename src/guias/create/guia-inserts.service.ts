import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../database/coalescer.js';
import { Database } from '../../database/database.js';
import { isFaultOfOneRow } from '../../database/sqlstate.js';
import { insertGuias, type GuiaInsert, type InsertOutcome } from '../guias.queries.js';

/** Two statements keep PostgreSQL at work while the next guides gather; more would only make them smaller. */
const LANES = 2;

/** Guides in a statement: beyond it, one costs hardly less, and the first wait for the last. */
const SIZE = 32;

/** Milliseconds: with the four seconds of a statement well within an answer's limit of 4.8. Where a connection is free, what was answered 503 is not written later. */
const WAIT_MS = 500;

/**
 * Writes guides, those that come at the same time in one statement: what a statement costs by itself, from round trip
 * to commit, is more than what a guide in it does.
 */
@Injectable()
export class GuiaInsertsService {
  private readonly coalescer = new Coalescer<GuiaInsert, InsertOutcome>((guias) => this.write(guias), {
    lanes: LANES,
    size: SIZE,
    waitMs: WAIT_MS,
    isFaultOfOne: isFaultOfOneRow,
  });

  constructor(private readonly database: Database) {}

  /** @param since when it was first tried, as `performance.now()` says. */
  insert(guia: GuiaInsert, since: number): Promise<InsertOutcome> {
    return this.coalescer.call(guia, since);
  }

  private async write(guias: GuiaInsert[]): Promise<InsertOutcome[]> {
    // In one order everywhere: two statements that wait for each other's references would never end.
    const sorted = guias.length === 1 ? guias : guias.toSorted(byReference);
    const { rows } = await this.database.query<InsertOutcome>(insertGuias(sorted));
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
