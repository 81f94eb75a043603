import { StartupError } from './startup-error.js';

/**
 * Ends a process that cannot go on, with exit code 1. Standard error gets the message of a StartupError, or
 * the stack of any other error.
 */
export function reportAndExit(error: unknown): never {
  if (error instanceof StartupError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}
