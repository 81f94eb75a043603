import { AppError } from '../../../errors/app-error.js';

/** Files that are read at once in a process. */
const RUNNING = 2;

/** Of a merchant: one is read, one waits. */
const OF_MERCHANT = 2;

interface Waiting {
  comercioId: string;
  begin: () => void;
}

/**
 * The turns of work that is as heavy as an Excel file: two at once in a process, one of a merchant, and one of it may wait. Nobody
 * waits for another merchant's second.
 */
export class XlsxQueue {
  private readonly running = new Set<string>();
  private readonly waiting: Waiting[] = [];

  /**
   * @param signal gives up: what waits is not begun, and `work` ends by it.
   * @throws AppError `demasiadas_solicitudes` where the merchant has two already; `no_disponible` where it was given up
   */
  async run<T>(comercioId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const own = this.waiting.filter((other) => other.comercioId === comercioId).length;
    if (own + (this.running.has(comercioId) ? 1 : 0) >= OF_MERCHANT)
      throw new AppError('demasiadas_solicitudes', {
        detail: 'Ya se leen dos archivos suyos. Espere a que terminen, y súbalo otra vez.',
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
    while (this.running.size < RUNNING) {
      const at = this.waiting.findIndex(({ comercioId }) => !this.running.has(comercioId));
      if (at < 0) return;
      this.waiting.splice(at, 1)[0]!.begin();
    }
  }
}
