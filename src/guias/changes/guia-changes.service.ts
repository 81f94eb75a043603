import { Injectable } from '@nestjs/common';
import { Database, type Run } from '../../platform/database/database.js';
import { RelayService } from '../../platform/events/relay.service.js';
import { noSuchGuia } from '../guia/guia-lookup.js';
import {
  lockGuia,
  lockGuias,
  readGuia,
  type Beside,
  type GuiaScope,
  type CurrentGuia,
  type SeenGuia,
} from './guia-changes.queries.js';
import { GuiaTransaction } from './guia-transaction.js';
import { writeGuia, type GuiaWrite, type WrittenRow } from './guia-write.js';

/** Times that a guide is read and decided on without a lock, where others change it in between. */
const ATTEMPTS = 5;

export interface Decision<T> {
  /** For the caller, once it is written. */
  result: T;
  /** Undefined: the guide stays as it is. */
  write?: GuiaWrite;
  /** For the caller instead, by what the write returned. */
  resultOf?: (written: WrittenRow) => T;
  /**
   * Further writes, in a transaction that has locked the guide: the rows they depend on may change without the guide. The
   * decision is made again after the lock.
   */
  locked?: (tx: GuiaTransaction) => Promise<unknown>;
}

/**
 * The two ways to change a guide. `change` compares and sets: it reads the guide without a lock, decides in TypeScript, and writes
 * by one statement that finds the row only as it was read. `lock` is a transaction: it locks the row, decides, writes plainly.
 * docs/architecture.md says which change goes which way. Guides are created by a statement of their own.
 */
@Injectable()
export class GuiaChangesService {
  constructor(
    private readonly database: Database,
    private readonly relay: RelayService,
  ) {}

  /**
   * Changes one guide in two round trips; where others change it in between each time, under the lock of its row.
   * @param guia id or number.
   * @param decide decides by what was read, and does nothing else: it may run several times. Nothing is written if it throws.
   * @param beside what it reads beside the guide, as the guide was at the same moment.
   * @throws AppError `no_encontrado`; `no_disponible` after too long a wait for the guide.
   */
  async change<T, Context extends object = object>(
    guia: string,
    scope: GuiaScope,
    decide: (guia: CurrentGuia & Context) => Decision<T>,
    beside: Beside = {},
  ): Promise<T> {
    const read = readGuia(guia, scope, beside);
    const decideOn = async (run: Run) => {
      const { rows } = await run<SeenGuia & Context>(read);
      if (!rows[0]) throw noSuchGuia();
      return { seen: rows[0], ...decide(rows[0]) };
    };
    const done = await this.database.inTurn(guia.toLowerCase(), async (run) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { seen, result, write, resultOf, locked } = await decideOn(run);
        if (locked) return undefined;
        if (!write) return { result };
        const { statement, hasRelayed } = writeGuia(seen, write, seen.xmin);
        const { rows } = await run<WrittenRow>(statement);
        if (!rows[0]) continue;
        if (hasRelayed) this.relay.wake();
        return { result: resultOf?.(rows[0]) ?? result };
      }
      return undefined;
    });
    if (done) return done.result;
    return this.lock(guia, scope, async (_, tx) => {
      const { result, write, resultOf, locked } = await decideOn((config) => tx.query(config));
      const written = write && (await tx.write(write));
      await locked?.(tx);
      return (written && resultOf?.(written)) ?? result;
    });
  }

  /**
   * Changes one guide, whose row is locked first. A transaction locks one guide, never two but in `lockAll`; locks are taken in
   * the order comercio, guia, cobro, piloto.
   * @param guia id or number.
   * @param decide decides by the locked guide and writes with `tx`; nothing is written if it throws. Runs again after a
   *   deadlock, and waits for no other host.
   * @throws AppError as `change`
   */
  async lock<T>(
    guia: string,
    scope: GuiaScope,
    decide: (guia: CurrentGuia, tx: GuiaTransaction) => Promise<T>,
  ): Promise<T> {
    const lock = lockGuia(guia, scope);
    // An id may be in capitals. By id and by number are two turns; the row's lock orders those.
    return this.inTransaction(guia.toLowerCase(), async (run, txOf) => {
      const { rows } = await run<CurrentGuia>(lock);
      if (!rows[0]) throw noSuchGuia();
      return decide(rows[0], txOf(rows[0]));
    });
  }

  /**
   * Changes many guides of a merchant, all of them or none, in one transaction, which locks them in the order of their ids.
   * @param key as of `Database.transaction`
   * @param guias numbers; those that the merchant does not have are left out.
   * @param decide as of `lock`, of all guides, with what writes each.
   */
  async lockAll<T>(
    key: string,
    comercioId: string,
    guias: readonly string[],
    decide: (guias: CurrentGuia[], txOf: (guia: CurrentGuia) => GuiaTransaction, run: Run) => Promise<T>,
  ): Promise<T> {
    return this.inTransaction(key, async (run, txOf) => {
      const { rows } = await run<CurrentGuia>(lockGuias(comercioId, guias));
      return decide(rows, txOf, run);
    });
  }

  private async inTransaction<T>(
    key: string,
    work: (run: Run, txOf: (guia: CurrentGuia) => GuiaTransaction) => Promise<T>,
  ): Promise<T> {
    const { result, hasRelayed } = await this.database.transaction(key, async (run) => {
      const all: GuiaTransaction[] = [];
      const txOf = (guia: CurrentGuia) => all[all.push(new GuiaTransaction(guia, run)) - 1]!;
      return { result: await work(run, txOf), hasRelayed: all.some((tx) => tx.hasRelayed) };
    });
    if (hasRelayed) this.relay.wake();
    return result;
  }
}
