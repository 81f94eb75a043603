import { sumOf } from '../../../cobros/exact-amounts.js';
import { AppError } from '../../../platform/errors/app-error.js';

const SETTLED =
  'lo cobrado ya es parte de una liquidación. Vea en el formulario qué se ajusta, y confírmelo.';

/** The refusal to change a settled amount, which a second press does; any other error as it is. */
export function settledAsPeopleSay(error: unknown): unknown {
  const isSettled = error instanceof AppError && error.codigo === 'cobro_liquidado';
  return isSettled ? new AppError('cobro_liquidado', { detail: SETTLED }) : error;
}

/** Whether a form was refused for that alone: a second press does it. */
export const isOfSettled = (nota: string | undefined) => nota === SETTLED;

/** Sentence on the adjustment where a settled amount becomes another. @param amount writes one. */
export function adjustedText(before: number, now: number, amount: (text: string) => string): string {
  const difference = sumOf(now.toFixed(2), (-before).toFixed(2));
  if (Number(difference) === 0) return 'El monto queda igual: no se ajusta nada.';
  const verb = difference.startsWith('-') ? 'quita' : 'suma';
  const change = `Lo cobrado pasa de ${amount(before.toFixed(2))} a ${amount(now.toFixed(2))}`;
  return `${change}: la siguiente liquidación le ${verb} ${amount(difference.replace('-', ''))} al comercio, con un ajuste.`;
}
