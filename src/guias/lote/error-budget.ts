import { AppError } from '../../platform/errors/app-error.js';

/** Entries of `errores` in one answer: about 1 MiB. Once they are used up, each item names its first error alone. */
const MAX_ERRORES = 4_000;

/** Bounds an answer: that to a batch in which every field of every item is wrong would be ten times as long as the batch. */
export class ErrorBudget {
  constructor(private left = MAX_ERRORES) {}

  /** The error with as many `errores` as the answer may still hold. */
  limit(error: AppError): AppError {
    const { codigo, detail, errores, cause } = error;
    if (!errores) return error;
    const count = Math.max(1, Math.min(errores.length, this.left));
    this.left -= count;
    if (count === errores.length) return error;
    return new AppError(codigo, {
      cause,
      errores: errores.slice(0, count),
      detail: `${detail} El lote tiene demasiados errores: aquí se nombran ${count} de ${errores.length}.`,
    });
  }
}
