import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { SweepsService } from '../queues/sweeps.service.js';
import { RETENTION } from './retention.js';
import { forget } from './retention.queries.js';

const EVERY_MS = 60_000;

/** Rows per statement, and statements for one table in a sweep: 5,000 rows a minute in each worker. */
const BATCH = 200;
const BATCHES = 25;

/** Deletes what `RETENTION` says. */
@Injectable()
export class RetentionService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sweeps: SweepsService,
  ) {}

  /** A sweep for each table, so that none holds up another. */
  onModuleInit(): void {
    for (const rule of RETENTION) {
      const name = `old ${rule.table}${rule.clears === undefined ? '' : `.${rule.clears}`}`;
      this.sweeps.every(name, EVERY_MS, async () => {
        for (let i = 0; i < BATCHES; i++)
          if ((await this.database.query(forget(rule, BATCH))).rowCount! < BATCH) return;
      });
    }
  }
}
