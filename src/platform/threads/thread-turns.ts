import { AppError } from '../errors/app-error.js';

interface TurnOptions {
  /** Threads at once in a process. */
  running: number;
  /** Of a merchant, the ones that wait among them; one runs at a time. */
  ofMerchant: number;
  /** Tells a merchant that has as many already what to do. */
  refusal: string;
}

interface Waiting {
  comercioId: string;
  begin: () => void;
}

/** The turns of work that is too heavy for the event loop. Nobody waits for another merchant's second. */
export class ThreadTurns {
  private readonly running = new Set<string>();
  private readonly waiting: Waiting[] = [];

  constructor(private readonly options: TurnOptions) {}

  /**
   * @param signal gives up: what waits is not begun, and `work` ends by it.
   * @throws AppError `demasiadas_solicitudes` where the merchant has as many as it may; `no_disponible` where it was given up
   */
  async run<T>(comercioId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const own = this.waiting.filter((other) => other.comercioId === comercioId).length;
    if (own + (this.running.has(comercioId) ? 1 : 0) >= this.options.ofMerchant)
      throw new AppError('demasiadas_solicitudes', {
        detail: this.options.refusal,
        headers: { 'Retry-After': '5' },
      });
    await this.turn(comercioId, signal);
    try {
      return await work();
    } finally {
      this.running.delete(comercioId);
      this.next();
    }
  }

  private turn(comercioId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.waiting.splice(this.waiting.indexOf(one), 1);
        reject(new AppError('no_disponible'));
      };
      const one: Waiting = {
        comercioId,
        begin: () => {
          signal.removeEventListener('abort', giveUp);
          this.running.add(comercioId);
          resolve();
        },
      };
      if (signal.aborted) return reject(new AppError('no_disponible'));
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(one);
      this.next();
    });
  }

  /** Begins the first that may. */
  private next(): void {
    while (this.running.size < this.options.running) {
      const at = this.waiting.findIndex(({ comercioId }) => !this.running.has(comercioId));
      if (at < 0) return;
      this.waiting.splice(at, 1)[0]!.begin();
    }
  }
}
