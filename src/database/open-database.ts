import type { Config } from '../config/env.js';
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import { migrate } from './migrate.js';

/** The database a process works on. */
export interface JoinedDatabase {
  url: string;
  isEmbedded: boolean;
  /** Releases it: an embedded PostgreSQL that no other process uses stops, within ms if given. */
  close(limitMs?: number): Promise<void>;
  /** Like `close`, without waiting. */
  kill(): void;
}

/** A migrated database. */
export interface OpenDatabase extends JoinedDatabase {
  /** Names of the migrations that opening it applied. */
  applied: string[];
}

/**
 * Opens DATABASE_URL, or starts (or joins) the embedded PostgreSQL in DATA_DIR, without migrating it. An embedded
 * PostgreSQL is restarted by the first process that notices that it is gone.
 * @param onTrouble told, in one line, when the embedded server is lost, and why it cannot be restarted.
 * @throws StartupError
 */
export async function joinDatabase(
  { databaseUrl, dataDir }: Config,
  onTrouble?: (message: string) => void,
): Promise<JoinedDatabase & { ownerUrl: string | undefined }> {
  const embedded =
    databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir, onTrouble }) : undefined;
  return {
    url: embedded?.url ?? databaseUrl!,
    ownerUrl: embedded?.ownerUrl,
    isEmbedded: embedded !== undefined,
    close: async (limitMs) => embedded?.stop(limitMs),
    kill: () => embedded?.kill(),
  };
}

/** Joins the database and migrates it. @throws StartupError */
export async function openDatabase(
  config: Config,
  onTrouble?: (message: string) => void,
): Promise<OpenDatabase> {
  const { ownerUrl, ...database } = await joinDatabase(config, onTrouble);
  const { migrationDatabaseUrl, redis } = config;
  try {
    const applied = await migrate(ownerUrl ?? migrationDatabaseUrl ?? database.url, {
      serviceUrl: database.url,
      hasQueues: redis === undefined,
      variable: migrationDatabaseUrl === undefined ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL',
    });
    return { ...database, applied };
  } catch (error) {
    await database.close();
    throw error;
  }
}
