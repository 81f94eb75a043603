import type { Config } from '../config/env.js';
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import { migrate } from './migrate.js';

/** The database a process works on, migrated. */
export interface OpenDatabase {
  url: string;
  isEmbedded: boolean;
  /** Names of the migrations that opening it applied. */
  applied: string[];
  /** Gives it up: an embedded PostgreSQL that nobody else uses stops, within ms if given. */
  close(limitMs?: number): Promise<void>;
  /** The same without waiting. */
  kill(): void;
}

/**
 * Opens what another process has opened and keeps open, without migrating it. An embedded PostgreSQL is restarted by
 * whoever notices first that it is gone.
 * @throws StartupError
 */
export async function joinDatabase({ databaseUrl, dataDir }: Config): Promise<Omit<OpenDatabase, 'applied'>> {
  const embedded = databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir }) : undefined;
  return {
    url: embedded?.url ?? databaseUrl!,
    isEmbedded: embedded !== undefined,
    close: async (limitMs) => embedded?.stop(limitMs),
    kill: () => embedded?.kill(),
  };
}

/**
 * Opens DATABASE_URL, or starts (or joins) the embedded PostgreSQL in DATA_DIR; then migrates it.
 * @param onTrouble told, in one line, when the embedded server was lost and is being started again.
 * @throws StartupError
 */
export async function openDatabase(
  { databaseUrl, migrationDatabaseUrl, dataDir, redis }: Config,
  onTrouble?: (message: string) => void,
): Promise<OpenDatabase> {
  const embedded =
    databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir, onTrouble }) : undefined;
  const url = embedded?.url ?? databaseUrl!;
  const close = async (limitMs?: number) => embedded?.stop(limitMs);
  try {
    const owner = embedded?.ownerUrl ?? migrationDatabaseUrl;
    const applied = await migrate(owner ?? url, {
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
