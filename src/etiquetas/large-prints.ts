import { AppError } from '../platform/errors/app-error.js';

/**
 * Prints of more labels than fit into one request of the API: one after the other in a process, and one at a time for a merchant.
 * Drawn side by side, all of them would miss their deadlines.
 */
export class LargePrints {
  private readonly merchants = new Set<string>();
  private last: Promise<unknown> = Promise.resolve();

  /** @throws AppError `demasiadas_solicitudes` while another print of the merchant waits or is drawn */
  async run<T>(comercioId: string, print: () => Promise<T>): Promise<T> {
    if (this.merchants.has(comercioId))
      throw new AppError('demasiadas_solicitudes', {
        detail: 'Ya se hace otro PDF de muchas etiquetas de esta tienda. Espere a que termine, y repítalo.',
        headers: { 'Retry-After': '5' },
      });
    this.merchants.add(comercioId);
    const printed = this.last.then(print).finally(() => this.merchants.delete(comercioId));
    this.last = printed.catch(() => undefined);
    return printed;
  }
}
