import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { sqlStateOf } from '../database/sqlstate.js';
import { LOWEST_ID } from '../database/row-id.js';
import { InjectLogger } from '../logging/logging.module.js';
import { SweepsService } from '../queues/sweeps.service.js';
import { dropPartition, partitionsBefore, undividedParts } from '../database/partitions.queries.js';
import { RETENTION, type Retention } from './retention.js';
import { firstIdToKeep, forget, findRowToStay } from './retention.queries.js';

const EVERY_MS = 60_000;

/** Rows per statement, so that each is short, and statements for one table in a sweep. */
const BATCH = 200;
const BATCHES = 500;

/** Deletes what `RETENTION` says. */
@Injectable()
export class RetentionService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sweeps: SweepsService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** A sweep for each table, so that none holds up another. */
  onModuleInit(): void {
    for (const rule of RETENTION) {
      const name = `old ${rule.table}${rule.clears === undefined ? '' : `.${rule.clears}`}`;
      this.sweeps.every(name, EVERY_MS, async (signal) => {
        if (!rule.isDivided) return this.deleteRows(rule, signal);
        const { rows } = await this.database.query<{ particion: string }>(undividedParts(rule.table));
        for (const { particion } of rows)
          await this.deleteRows({ ...rule, table: particion }, signal).catch(unlessGone);
        // Last, because it fails while the table is in use.
        await this.dropPartitions(rule);
      });
    }
  }

  private async deleteRows(rule: Retention, signal: AbortSignal): Promise<void> {
    for (let i = 0; i < BATCHES && !signal.aborted; i++)
      if ((await this.database.query(forget(rule, BATCH))).rowCount! < BATCH) return;
  }

  /** Drops those without a row that is to stay. */
  private async dropPartitions(rule: Retention): Promise<void> {
    const { rows } = await this.database.query<{ particion: string; hasta: string }>(
      partitionsBefore(rule.table, firstIdToKeep(rule)),
    );
    let desde = LOWEST_ID;
    for (const { particion, hasta } of rows) {
      const { rowCount } = await this.database.query(findRowToStay(rule, desde, hasta));
      desde = hasta;
      if (rowCount) continue;
      await this.database.query(dropPartition(particion));
      this.logger.info({ partition: particion }, 'a month of old rows was dropped');
    }
  }
}

/** Another worker may have dropped the table. */
function unlessGone(error: unknown): void {
  if (sqlStateOf(error) !== '42P01') throw error;
}
