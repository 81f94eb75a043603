/**
 * A fault that a person must mend before the service can start: a bad variable, a taken port, an
 * unreadable folder. Its message is complete (what is wrong and how to mend it) and is printed as it
 * is, without a stack; the process exits with 1.
 */
export class StartupError extends Error {
  override name = 'StartupError';
}
