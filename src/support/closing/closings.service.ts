import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { Database } from '../../platform/database/database.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { GuiaMovesService } from '../../guias/changes/guia-moves.service.js';
import {
  closeMerchant,
  closingOutlook,
  doomedGuias,
  leftClosings,
  lockMerchant,
  markClosing,
  olderTransactions,
  ownMerchants,
  reopenMerchant,
  settleClosing,
  takeClosing,
  type ClosingOutlook,
  type DoomedGuia,
} from './closings.queries.js';

/** Guides that are read at a time, and cancelled side by side: few, so that others have their turns. */
const BATCH = 64;
const AT_ONCE = 4;

/** Seconds after which a closing that no process is at was left by its own. */
const LEFT_S = 30;

/** Guides of a kind that are counted at most. */
export const MAX_COUNTED = 10_000;

/** ms; no statement and no transaction of the service lasts longer. */
const MAX_WAIT_MS = 30_000;
const WAIT_MS = 50;

/** ms between two notes of who waits that it is still there; less than `LEFT_S`. */
const MARK_MS = 5_000;

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
    @InjectLogger() private readonly logger: Logger,
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
    return this.change(comercioId, closeMerchant(comercioId, usuario));
  }

  /**
   * Cancels what is not picked up yet, and lets the endpoints end. Goes on where another run stopped.
   * @param signal once it is aborted, the rest is left to another process.
   * @returns cancelled now.
   */
  async finish(comercioId: string, signal?: AbortSignal): Promise<number> {
    await this.waitForOlder(comercioId, signal);
    let cancelled = 0;
    while (!signal?.aborted) {
      await this.database.query(markClosing(comercioId));
      const { rows } = await this.database.query<DoomedGuia>(doomedGuias(comercioId, BATCH));
      if (rows.length === 0) {
        await this.database.query(settleClosing(comercioId));
        break;
      }
      const queue = rows.values();
      const work = async () => {
        for (const { comercio_id, guia, usuario } of queue) {
          if (signal?.aborted) return;
          const author =
            usuario === null ? { actor: 'sistema' as const } : { actor: 'soporte' as const, usuario };
          if (await this.moves.cancelBeforePickup(author, comercio_id, guia, NOTA)) cancelled++;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    }
    return cancelled;
  }

  /** A create that began before the closing was committed does not see it; its guide is to be cancelled, too. */
  private async waitForOlder(comercioId: string, signal?: AbortSignal): Promise<void> {
    const { rows } = await this.database.query<{ at: string }>({
      text: 'select clock_timestamp()::text as at',
    });
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS && !signal?.aborted; waitedMs += WAIT_MS) {
      if (waitedMs % MARK_MS === 0) await this.database.query(markClosing(comercioId));
      const older = await this.database.query(olderTransactions(rows[0]!.at));
      if (older.rows.length === 0) return;
      await sleep(WAIT_MS);
    }
  }

  /** Keys write again. What was cancelled stays so, and endpoints are activated one by one. Idempotent. @returns as `close` */
  async reopen(comercioId: string): Promise<string[]> {
    return this.change(comercioId, reopenMerchant(comercioId));
  }

  private change(comercioId: string, statement: QueryConfig): Promise<string[]> {
    return this.database.transaction(comercioId, async (run) => {
      // First: a test twin that is being made is seen by what comes after it.
      await run(lockMerchant(comercioId));
      await run(statement);
      const { rows } = await run<{ id: string }>(ownMerchants(comercioId));
      return rows.map(({ id }) => id);
    });
  }

  /** Goes on with closings whose process died, each by one process alone; one that fails is tried again later. */
  async finishLeft(signal?: AbortSignal): Promise<void> {
    const { rows } = await this.database.query<{ id: string }>(leftClosings(LEFT_S));
    for (const { id } of rows) {
      if (signal?.aborted) return;
      try {
        const taken = await this.database.query(takeClosing(id, LEFT_S));
        if (taken.rows.length > 0) await this.finish(id, signal);
      } catch (error) {
        this.logger.warn({ err: error, comercio: id }, 'a closing failed; it is tried again');
      }
    }
  }
}
