import { AppError } from '../errors/app-error.js';
import { databaseFault } from './sqlstate.js';

/** Maps a failed query to an AppError: the value cannot be stored, or the database is unavailable. */
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
