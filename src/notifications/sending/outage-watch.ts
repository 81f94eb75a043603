/** Failures without a success after which a provider is out. */
const FAILURES = 5;

/** Messages that they are of, at least: one number may be what fails. */
const MESSAGES = 3;

/** ms in which they count. */
const WINDOW_MS = 60_000;

/** ms since the last success: a provider that fails for half of the messages is not out. */
const QUIET_MS = 4_000;

/** Codes that say nothing about other messages: too many to one number, and a wish to go more slowly. */
const OF_ONE = new Set(['131056', 'HTTP 429']);

/** Tells from the tries of this process whether the provider is out. */
export class OutageWatch {
  private failures: { at: number; mensajeId: string }[] = [];
  private succeededAt = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  succeeded(): void {
    this.succeededAt = this.now();
    if (this.failures.length > 0) this.failures = [];
  }

  /** Call it after a temporary failure. @returns whether the provider is out. */
  failed(mensajeId: string, code: string): boolean {
    if (OF_ONE.has(code)) return false;
    const now = this.now();
    this.failures = [
      ...this.failures.slice(1 - FAILURES).filter(({ at }) => now - at < WINDOW_MS),
      { at: now, mensajeId },
    ];
    if (this.failures.length < FAILURES || now - this.succeededAt < QUIET_MS) return false;
    return new Set(this.failures.map((failure) => failure.mensajeId)).size >= MESSAGES;
  }
}
