import { AppError } from '../../../platform/errors/app-error.js';

const SETTLED =
  'lo cobrado ya es parte de una liquidación. Vea en el formulario qué se ajusta, y confírmelo.';

/** The refusal to change a settled amount, which a second press does; any other error as it is. */
export function settledAsPeopleSay(error: unknown): unknown {
  const isSettled = error instanceof AppError && error.codigo === 'cobro_liquidado';
  return isSettled ? new AppError('cobro_liquidado', { detail: SETTLED }) : error;
}
