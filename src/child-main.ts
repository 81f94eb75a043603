import './compile-cache.js';

// Signals are the supervisor's: a terminal sends them to the whole group, and it knows in which order to stop.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);

const { runChild } = await import('./run-child.js');
await runChild();
