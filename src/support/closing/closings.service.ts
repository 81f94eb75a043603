import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { GuiaMovesService } from '../../guias/changes/guia-moves.service.js';
import {
  closeMerchant,
  closingOutlook,
  doomedGuias,
  olderTransactions,
  ownMerchants,
  reopenMerchant,
  settleClosing,
  unsettledClosings,
  type ClosingOutlook,
  type DoomedGuia,
} from './closings.queries.js';

/** Guides that are read at a time, and cancelled side by side: few, so that others have their turns. */
const BATCH = 64;
const AT_ONCE = 4;

/** Seconds after which a closing that is not done was left by its process. */
const LEFT_S = 30;

/** Guides of a kind that are counted at most. */
export const MAX_COUNTED = 10_000;

/** ms; no statement and no transaction of the service lasts longer. */
const MAX_WAIT_MS = 30_000;
const WAIT_MS = 50;

const NOTA = 'El comercio cerró.';

/**
 * Closes merchants. The merchant's row says that it is closed, and whether all is done that follows: whoever finds it half
 * done goes on, and what was done already is not done twice.
 */
@Injectable()
export class ClosingsService {
  constructor(
    private readonly database: Database,
    private readonly moves: GuiaMovesService,
  ) {}

  /** @returns the counts are of real guides. */
  async outlook(comercioId: string): Promise<ClosingOutlook> {
    const { rows } = await this.database.query<ClosingOutlook>(closingOutlook(comercioId, MAX_COUNTED));
    return rows[0]!;
  }

  /**
   * From the commit on the merchant and its test twin have no new guides, their keys only read, and nobody is signed in to
   * their panel; `finish` does the rest. Idempotent.
   * @param usuario of staff; null for the command.
   * @returns the ids of both, for `AuthenticationService.forget`.
   */
  async close(comercioId: string, usuario: string | null): Promise<string[]> {
    return this.database.transaction(comercioId, async (run) => {
      const { rows } = await run<{ id: string }>(ownMerchants(comercioId));
      await run(closeMerchant(comercioId, usuario));
      return rows.map(({ id }) => id);
    });
  }

  /** Cancels what is not picked up yet, and lets the endpoints end. Goes on where another run stopped. @returns cancelled now. */
  async finish(comercioId: string): Promise<number> {
    await this.waitForOlder();
    let cancelled = 0;
    for (;;) {
      const { rows } = await this.database.query<DoomedGuia>(doomedGuias(comercioId, BATCH));
      if (rows.length === 0) break;
      const queue = rows.values();
      const work = async () => {
        for (const { comercio_id, guia, usuario } of queue) {
          const author =
            usuario === null ? { actor: 'sistema' as const } : { actor: 'soporte' as const, usuario };
          if (await this.moves.cancelBeforePickup(author, comercio_id, guia, NOTA)) cancelled++;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    }
    await this.database.query(settleClosing(comercioId));
    return cancelled;
  }

  /** A create that began before the closing was committed does not see it; its guide is to be cancelled, too. */
  private async waitForOlder(): Promise<void> {
    const { rows } = await this.database.query<{ at: string }>({
      text: 'select clock_timestamp()::text as at',
    });
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += WAIT_MS) {
      const older = await this.database.query(olderTransactions(rows[0]!.at));
      if (older.rows.length === 0) return;
      await sleep(WAIT_MS);
    }
  }

  /** Keys write again. What was cancelled stays so, and endpoints are activated one by one. Idempotent. @returns as `close` */
  async reopen(comercioId: string): Promise<string[]> {
    const { rows } = await this.database.query<{ id: string }>(ownMerchants(comercioId));
    await this.database.query(reopenMerchant(comercioId));
    return rows.map(({ id }) => id);
  }

  /** Goes on with closings whose process died. */
  async finishLeft(): Promise<void> {
    const { rows } = await this.database.query<{ id: string }>(unsettledClosings(LEFT_S));
    for (const { id } of rows) await this.finish(id);
  }
}
