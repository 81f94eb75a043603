/**
 * An error that a person must fix before the service can start: a bad variable, a taken port, an
 * unreadable folder. Its message says what is wrong and how to fix it, and is printed without a stack.
 */
export class StartupError extends Error {
  override name = 'StartupError';
}
