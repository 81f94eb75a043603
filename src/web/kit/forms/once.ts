import { isUuid } from '../../../platform/database/row-id.js';
import { AppError } from '../../../platform/errors/app-error.js';

/** Where it is kept how an action ended. */
export interface Ending<T> {
  end: (result: T) => Promise<void>;
  /** After an error of the 400s: nothing was done. @returns what is answered instead. */
  refuse: (error: AppError) => Promise<T>;
  /** After any other error nobody knows whether it was done. */
  fail?: () => Promise<void>;
}

/** Where it is kept that a form was sent: staff's in the audit log for ever, merchants' for two days. */
interface Ledger<T> extends Ending<T> {
  /** Whether it is to be done now: false where it was begun before. */
  begin: (clave: string) => Promise<boolean>;
}

/**
 * Begins what a form asks for, once for each `clave`.
 * @returns its action; undefined where it was begun before. @throws AppError `formulario_no_vigente` for no `clave`
 */
export async function beginOnce<T>(
  clave: string | undefined,
  { begin, ...ending }: Ledger<T>,
  act: () => Promise<T>,
): Promise<{ running: Promise<T> } | undefined> {
  if (clave === undefined || !isUuid(clave)) throw new AppError('formulario_no_vigente');
  return (await begin(clave)) ? { running: settle(ending, act) } : undefined;
}

/** Acts, and keeps how it ended. */
export async function settle<T>({ end, refuse, fail }: Ending<T>, act: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await act();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return refuse(error);
    // The database itself may have failed.
    await fail?.().catch(() => undefined);
    throw error;
  }
  await end(result);
  return result;
}
