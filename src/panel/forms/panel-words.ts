import type { AppError } from '../../errors/app-error.js';
import { ERRORS, type ErrorCode } from '../../errors/error-codes.js';

/** Details of the API that tell a program what to send; pages say what a person does. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  version_obsoleta:
    'No se guardó: la guía cambió mientras usted la editaba. Revise los campos marcados y guarde otra vez.',
};

/** What an error says on a page. A detail that was written for the page stays. */
export function detailOf({ codigo, detail }: AppError): string {
  return (detail === ERRORS[codigo].detail && DETAILS[codigo]) || detail.replaceAll('`', '');
}
