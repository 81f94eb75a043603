import { AppError } from '../../platform/errors/app-error.js';

/** The error for a `ref` under which an event of another kind is recorded. */
export function refTaken(): AppError {
  const mensaje = 'Ya la lleva otro evento de esta guía. Envíe una nueva.';
  return AppError.validation([{ campo: 'ref', codigo: 'formato', mensaje }]);
}

/** Fields of a repeat, other than its `ref`, that differ from what was recorded. */
export function differingFromRecorded(
  { ref: _, ...sent }: { ref?: string },
  recorded: Record<string, unknown>,
): string[] {
  return Object.entries(sent)
    .filter(([campo, value]) => value !== undefined && value !== recorded[campo])
    .map(([campo]) => campo);
}
