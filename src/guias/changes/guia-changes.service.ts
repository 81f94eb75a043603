import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { RelayService } from '../../platform/events/relay.service.js';
import { noSuchGuia } from '../guia/guia-lookup.js';
import { lockGuia, type GuiaScope, type LockedGuia } from './guia-changes.queries.js';
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
   * Changes one guide. A transaction locks one guide, never two; locks are taken in the order comercio, guia, cobro, piloto.
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
}
