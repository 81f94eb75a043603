import { StartupError } from './startup-error.js';

/** The text for a person: what to fix, or the stack of a defect. */
function reportOf(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function reportAndExit(error: unknown): never {
  process.stderr.write(`${reportOf(error)}\n`);
  process.exit(1);
}
