#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';

// V8 learns in its first seconds which objects live long, and puts those of their kind where only full collections look.
// When it takes a page's rows for such, memory doubles and a list costs a third more until the process ends.
setFlagsFromString('--no-allocation-site-pretenuring');

// A signal until the service owns them ends a process that has started nothing.
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const leave = () => process.exit(0);
for (const signal of SIGNALS) process.once(signal, leave);

const { runService } = await import('./process.js');
const running = runService();
for (const signal of SIGNALS) process.off(signal, leave);
await running;
