import pino from 'pino';
import { DataSource } from 'typeorm';
import { Database } from '../../src/platform/database/database.js';
import type { SweepsService } from '../../src/platform/queues/sweeps.service.js';
import { PartitionsService } from '../../src/platform/retention/partitions.service.js';
import { RetentionService } from '../../src/platform/retention/retention.service.js';
import type { TestDatabase } from './database.js';

type Sweeps = ReadonlyMap<string, () => Promise<void>>;

/**
 * Runs something with the sweeps that delete old rows, by their name, and the service that makes partitions, both on
 * connections of the role that serves.
 */
export async function withRetention<T>(
  { url }: TestDatabase,
  run: (sweeps: Sweeps, partitions: PartitionsService) => Promise<T>,
): Promise<T> {
  const runs = new Map<string, () => Promise<void>>();
  const stub: Pick<SweepsService, 'every'> = {
    every: (name, _ms, sweep) => void runs.set(name, () => sweep(new AbortController().signal)),
  };
  const sweeps = stub as SweepsService;
  const source = await new DataSource({ type: 'postgres', url, poolSize: 4 }).initialize();
  try {
    const database = new Database(source);
    new RetentionService(database, sweeps, pino({ enabled: false })).onModuleInit();
    return await run(runs, new PartitionsService(database, sweeps));
  } finally {
    await source.destroy();
  }
}
