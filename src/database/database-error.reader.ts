import { AppError } from '../errors/app-error.js';
import { databaseFault } from './sqlstate.js';

/** How a failed query is answered: a value that cannot be kept, or a database that is not there. */
export function readDatabaseError(error: unknown): AppError | undefined {
  switch (databaseFault(error)) {
    case 'bad-value':
      return new AppError('validacion', {
        detail: 'Un valor no puede guardarse. Revise números, fechas y caracteres especiales.',
        cause: error,
      });
    case 'unavailable':
      return new AppError('no_disponible', { cause: error });
    default:
      return undefined;
  }
}
