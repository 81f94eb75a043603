import { SupervisorLink } from './cluster/supervisor-link.js';
import { loadConfig } from './config/env.js';
import { joinDatabase } from './database/open-database.js';
import { StartupError } from './errors/startup-error.js';
import { createSharedLogger } from './logging/logger.js';
import { handleEnd, startServing } from './process.js';

/** Runs one of the processes that a supervisor forks, until that tells it to stop or is gone. */
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
    await supervisor.failed(textOf(error));
    process.exit(1);
  }
}

/** What a person reads: what to mend, or the stack of a defect. */
function textOf(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
