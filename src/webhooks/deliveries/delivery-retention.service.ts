import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { firstIdAt } from '../../database/row-id.js';
import { SweepsService } from '../../queues/sweeps.service.js';
import { forgetMessages } from './deliveries.queries.js';

/** Days that webhook messages and their deliveries are kept. */
export const KEEP_DAYS = 90;

/** Milliseconds. */
const FORGET_EVERY = 60_000;

/** Messages per statement. */
const FORGET_BATCH = 100;

/** Deletes old webhook messages with their deliveries. */
@Injectable()
export class DeliveryRetentionService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sweeps: SweepsService,
  ) {}

  onModuleInit(): void {
    this.sweeps.every('old deliveries', FORGET_EVERY, () => this.forgetOld());
  }

  async forgetOld(): Promise<void> {
    const before = firstIdAt(Date.now() - KEEP_DAYS * 86_400_000);
    while ((await this.database.query(forgetMessages(before, FORGET_BATCH))).rowCount === FORGET_BATCH);
  }
}
