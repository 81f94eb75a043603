import { SupervisorLink } from './cluster/supervisor-link.js';
import { loadConfig } from './config/env.js';
import { joinDatabase } from './database/open-database.js';
import { reportOf } from './errors/report-and-exit.js';
import { createSharedLogger } from './logging/logger.js';
import { handleEnd, startServing } from './process.js';

/** Runs one of the processes that a supervisor forks, until the supervisor stops it or ends. */
export async function runChild(): Promise<void> {
  const config = loadConfig();
  const logger = createSharedLogger(config);
  let kill = () => undefined as void;
  const supervisor = new SupervisorLink();
  const starting = startServing(config, logger, {
    open: () => joinDatabase(config),
    onDatabase: (killDatabase) => (kill = killDatabase),
    makesDemoKeys: supervisor.isFirst,
    siblings: supervisor,
  });
  supervisor.onStop(handleEnd(starting, () => kill(), logger));
  try {
    const { port, demoKeys } = await starting;
    supervisor.ready({ port, demoKeys });
  } catch (error) {
    await supervisor.failed(reportOf(error));
    process.exit(1);
  }
}
