#!/usr/bin/env node
import './commands/service/compile-cache.js';

// Until the service handles signals itself, a signal ends the process: it has started nothing yet.
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const exit = () => process.exit(0);
for (const signal of SIGNALS) process.once(signal, exit);

const { runService } = await import('./commands/service/run-service.js');
const running = runService();
for (const signal of SIGNALS) process.off(signal, exit);
await running;
