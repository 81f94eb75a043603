import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { Database } from '../database/database.js';
import { SweepsService } from '../queues/sweeps.service.js';
import { preparePartitions } from '../database/prepare-partitions.js';

const EVERY_MS = 60_000;

/** Makes the partitions of the next months. Rows of a month without one go to the default partition. */
@Injectable()
export class PartitionsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sweeps: SweepsService,
  ) {}

  onModuleInit(): void {
    this.sweeps.every('partitions', EVERY_MS, () => this.prepare());
  }

  /** @throws the first error, after it has tried all partitions. */
  async prepare(from: Date | 'now' = 'now'): Promise<void> {
    const run = async (config: QueryConfig) => (await this.database.query(config)).rows;
    const faults = await preparePartitions(run, from);
    if (faults.length > 0) throw faults[0];
  }
}
