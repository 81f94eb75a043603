import type { Logger } from 'pino';
import { Children } from './cluster/children.js';
import { allowedConnections, processCount } from './cluster/process-count.js';
import type { Config } from './config/env.js';
import { loadSecrets } from './config/secrets.js';
import { stopLimits } from './config/stop-limits.js';
import { openDatabase } from './database/open-database.js';
import { startupFault } from './database/startup-fault.js';
import { checkListenAddress } from './listen-address.js';
import { announce, boardUsersOf, type Service } from './process.js';
import { checkCluster } from './queues/check-cluster.js';

/** ms that processes get after their own shutdown limit, to log what they cut off. */
const CHILD_MARGIN_MS = 300;

/**
 * Starts WEB_CONCURRENCY processes that share the port, on a database that is opened and migrated once.
 * @param onKill told how to end everything without waiting.
 * @throws StartupError
 */
export async function supervise(
  config: Config,
  logger: Logger,
  onKill: (kill: () => void) => void,
): Promise<Service> {
  const port = await checkListenAddress(config);
  await checkCluster(config.redis);
  // Before the database is made, and before the processes need them.
  loadSecrets(config);
  const database = await openDatabase(config, (message) => logger.warn(message));
  let children: Children | undefined;
  onKill(() => {
    children?.kill();
    database.kill();
  });
  const stop = async (since: number) => {
    const limits = stopLimits(database);
    const now = performance.now();
    await children?.stop(now - since, since + limits.connections + CHILD_MARGIN_MS - now);
    await database.close(Math.max(0, since + limits.database - performance.now()));
  };
  try {
    const count = processCount(config, await allowedConnections(database.url));
    if (count < config.processes.count) {
      logger.warn(
        `only ${count} processes for ${config.processes.count} cores: raise PostgreSQL's max_connections`,
      );
    }
    const boardUsers = boardUsersOf(config, database.isEmbedded);
    children = new Children(count, port, logger);
    announce(config, { ...(await children.start()), boardUsers }, logger);
    return { stop };
  } catch (error) {
    // Errors during the following cleanup are consequences; report only the first error.
    logger.level = 'silent';
    await stop(performance.now()).catch(() => undefined);
    throw startupFault(error);
  }
}
