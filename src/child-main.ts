import './compile-cache.js';

// A terminal sends signals to the whole process group. Only the supervisor acts on them, because it stops in order.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);

const { runChild } = await import('./run-child.js');
await runChild();
