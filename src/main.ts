#!/usr/bin/env node
// Loading the service takes most of a second. A signal in that time ends a process that has started nothing.
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const leave = () => process.exit(0);
for (const signal of SIGNALS) process.once(signal, leave);

const { runService } = await import('./service.js');
const running = runService();
for (const signal of SIGNALS) process.off(signal, leave);
await running;

export {};
