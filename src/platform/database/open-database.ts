import { dropLibpqVariables, type Config } from '../config/env.js';
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';

export interface OpenDatabase {
  url: string;
  isEmbedded: boolean;
  /** Names of the migrations that opening it applied. */
  applied: string[];
  /** Releases it: an embedded PostgreSQL that no other process uses stops, within ms if given. */
  close(limitMs?: number): Promise<void>;
  /** Like `close`, without waiting. */
  kill(): void;
}

/**
 * Opens DATABASE_URL, or starts (or joins) the embedded PostgreSQL in DATA_DIR, and migrates it. An embedded PostgreSQL
 * is restarted by the first process that notices that it is gone.
 * @param onTrouble told, in one line, when the embedded server is lost, and why it cannot be restarted.
 * @throws StartupError
 */
export async function openDatabase(
  config: Config,
  onTrouble?: (message: string) => void,
): Promise<OpenDatabase> {
  dropLibpqVariables(config);
  const { databaseUrl, migrationDatabaseUrl, dataDir, redis } = config;
  const embedded =
    databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir, onTrouble }) : undefined;
  const url = embedded?.url ?? databaseUrl!;
  const close = async (limitMs?: number) => embedded?.stop(limitMs);
  try {
    // Imported here: TypeORM takes as long to load as the rest, and a database that is missing need not wait for it.
    const { migrate } = await import('./migrate.js');
    const applied = await migrate(embedded?.ownerUrl ?? migrationDatabaseUrl ?? url, {
      serviceUrl: url,
      hasQueues: redis === undefined,
      variable: migrationDatabaseUrl === undefined ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL',
    });
    return { url, isEmbedded: embedded !== undefined, applied, close, kill: () => embedded?.kill() };
  } catch (error) {
    await close();
    throw error;
  }
}
