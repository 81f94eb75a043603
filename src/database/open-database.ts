import type { Config } from '../config/env.js';
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import { migrate } from './migrate.js';

/** The database a process works on, migrated. */
export interface OpenDatabase {
  url: string;
  isEmbedded: boolean;
  /** Names of the migrations that opening it applied. */
  applied: string[];
  /** Gives it up: an embedded PostgreSQL that nobody else uses stops. */
  close(): Promise<void>;
  /** The same without waiting. */
  kill(): void;
}

/**
 * Opens DATABASE_URL, or starts (or joins) the embedded PostgreSQL in DATA_DIR; then migrates it.
 * @param onTrouble told, in one line, when the embedded server was lost and is being started again.
 * @throws StartupError
 */
export async function openDatabase(
  config: Config,
  onTrouble?: (message: string) => void,
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    const applied = await migrate(config.databaseUrl);
    return {
      url: config.databaseUrl,
      isEmbedded: false,
      applied,
      close: () => Promise.resolve(),
      kill: () => undefined,
    };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, onTrouble });
  try {
    const applied = await migrate(postgres.url);
    return {
      url: postgres.url,
      isEmbedded: true,
      applied,
      close: () => postgres.stop(),
      kill: () => postgres.kill(),
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
