import type { Logger } from 'pino';

/** Runs something again and again, one run at a time. What fails is said once, until it works again. */
export class Sweep {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | undefined;
  private isFailing = false;

  /** @param everyMs milliseconds between two starts; one that takes longer is not doubled. */
  constructor(
    private readonly name: string,
    everyMs: number,
    private readonly run: () => Promise<void>,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => {
      this.running ??= this.once().finally(() => (this.running = undefined));
    }, everyMs);
  }

  /** Waits for the run under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async once(): Promise<void> {
    try {
      await this.run();
      if (this.isFailing) this.logger.info({ sweep: this.name }, 'a sweep works again');
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.logger.warn({ err: error, sweep: this.name }, 'a sweep failed; it goes on trying');
      this.isFailing = true;
    }
  }
}
