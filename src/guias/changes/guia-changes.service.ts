import { Injectable } from '@nestjs/common';
import { Database, type Run } from '../../platform/database/database.js';
import { RelayService } from '../../platform/events/relay.service.js';
import { noSuchGuia } from '../guia/guia-lookup.js';
import { lockGuia, lockGuias, type GuiaScope, type LockedGuia } from './guia-changes.queries.js';
import { GuiaTransaction } from './guia-transaction.js';

/**
 * The one way to change a guide: lock its row, decide in TypeScript, write plainly, record the events, commit. Guides are
 * created by a statement of their own.
 */
@Injectable()
export class GuiaChangesService {
  constructor(
    private readonly database: Database,
    private readonly relay: RelayService,
  ) {}

  /**
   * Changes one guide. A transaction locks one guide, never two but in `changeAll`; locks are taken in the order comercio, guia,
   * cobro, piloto.
   * @param guia id or number.
   * @param decide decides by the locked guide and writes with `tx`; nothing is written if it throws. Runs again after a
   *   deadlock, and waits for no other host.
   * @throws AppError `no_encontrado`; `no_disponible` after too long a wait for the guide.
   */
  async change<T>(
    guia: string,
    scope: GuiaScope,
    decide: (guia: LockedGuia, tx: GuiaTransaction) => Promise<T>,
  ): Promise<T> {
    const lock = lockGuia(guia, scope);
    // An id may be in capitals. By id and by number are two turns; the row's lock orders those.
    const { result, hasRelayed } = await this.database.transaction(guia.toLowerCase(), async (run) => {
      const { rows } = await run<LockedGuia>(lock);
      if (!rows[0]) throw noSuchGuia();
      const tx = new GuiaTransaction(rows[0], run);
      return { result: await decide(rows[0], tx), hasRelayed: tx.hasRelayed };
    });
    if (hasRelayed) this.relay.wake();
    return result;
  }

  /**
   * Changes many guides of a merchant, all of them or none, in one transaction, which locks them in the order of their ids.
   * @param key as of `Database.transaction`
   * @param guias numbers; those that the merchant does not have are left out.
   * @param decide as of `change`, of all guides, with what writes each.
   */
  async changeAll<T>(
    key: string,
    comercioId: string,
    guias: readonly string[],
    decide: (guias: LockedGuia[], txOf: (guia: LockedGuia) => GuiaTransaction, run: Run) => Promise<T>,
  ): Promise<T> {
    const { result, hasRelayed } = await this.database.transaction(key, async (run) => {
      const { rows } = await run<LockedGuia>(lockGuias(comercioId, guias));
      const all: GuiaTransaction[] = [];
      const txOf = (guia: LockedGuia) => all[all.push(new GuiaTransaction(guia, run)) - 1]!;
      return { result: await decide(rows, txOf, run), hasRelayed: all.some((tx) => tx.hasRelayed) };
    });
    if (hasRelayed) this.relay.wake();
    return result;
  }
}
