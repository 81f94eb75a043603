import { StartupError } from './startup-error.js';

/**
 * Ends a process that cannot go on: what a person can mend as its own lines on standard error, a defect
 * with its stack. Exit code 1.
 */
export function reportAndExit(error: unknown): never {
  if (error instanceof StartupError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}
