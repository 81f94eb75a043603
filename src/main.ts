#!/usr/bin/env node
import './start/compile-cache.js';

// Until the service handles signals itself, a signal ends the process: it has started nothing yet.
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const exit = () => process.exit(0);
for (const signal of SIGNALS) process.once(signal, exit);

const { runService } = await import('./start/run-service.js');
const running = runService();
for (const signal of SIGNALS) process.off(signal, exit);
await running;
