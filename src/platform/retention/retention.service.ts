import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { sqlStateOf } from '../database/sqlstate.js';
import { LOWEST_ID } from '../database/row-id.js';
import { InjectLogger } from '../logging/logging.module.js';
import { SweepsService } from '../queues/sweeps.service.js';
import { dropPartition, partitionsBefore, undividedParts } from '../database/partitions.queries.js';
import { RETENTION, type Retention } from './retention.js';
import { firstIdToKeep, deleteExpired, findRowToStay } from './retention.queries.js';

const EVERY_MS = 60_000;

/** Rows per statement, small enough to be quick; and statements per table and sweep. */
const BATCH = 200;
const BATCHES = 500;

@Injectable()
export class RetentionService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sweeps: SweepsService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** A sweep for each table, so that none waits for another. */
  onModuleInit(): void {
    for (const rule of RETENTION) {
      const name = `old ${rule.table}${rule.clears === undefined ? '' : `.${rule.clears}`}`;
      this.sweeps.every(name, EVERY_MS, (signal) =>
        rule.isDivided ? this.sweepPartitions(rule, signal) : this.deleteRows(rule, signal),
      );
    }
  }

  /** Goes on after a partition that is in use. @throws the first error, after it has tried all partitions. */
  private async sweepPartitions(rule: Retention, signal: AbortSignal): Promise<void> {
    const faults: unknown[] = [];
    const attempt = (sweep: Promise<void>) =>
      sweep.catch((error: unknown) => {
        // Another worker may have dropped the table.
        if (sqlStateOf(error) !== '42P01') faults.push(error);
      });
    const parts = await this.database.query<{ particion: string }>(undividedParts(rule.table));
    for (const { particion } of parts.rows)
      await attempt(this.deleteRows({ ...rule, table: particion }, signal));
    // Last, because a drop fails while the table is in use.
    const months = await this.database.query<{ particion: string; hasta: string }>(
      partitionsBefore(rule.table, firstIdToKeep(rule)),
    );
    let desde = LOWEST_ID;
    for (const { particion, hasta } of months.rows) {
      await attempt(this.dropUnneeded(particion, findRowToStay(rule, desde, hasta)));
      desde = hasta;
    }
    if (faults.length > 0) throw faults[0];
  }

  private async deleteRows(rule: Retention, signal: AbortSignal): Promise<void> {
    for (let i = 0; i < BATCHES && !signal.aborted; i++)
      if ((await this.database.query(deleteExpired(rule, BATCH))).rowCount! < BATCH) return;
  }

  /** Drops a partition, unless it has a row that has to stay. */
  private async dropUnneeded(partition: string, rowToStay: QueryConfig): Promise<void> {
    if ((await this.database.query(rowToStay)).rowCount) return;
    await this.database.query(dropPartition(partition));
    this.logger.info({ partition }, 'expired partition dropped');
  }
}
