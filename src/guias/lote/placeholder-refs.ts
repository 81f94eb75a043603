import type { FieldError } from '../../errors/app-error.js';
import { isPlaceholder } from '../../validation/placeholder.js';
import { referenceOf, type LoteItem } from './lote-item.js';

/**
 * Refuses items whose reference only fills the field, where more than one has such a reference, spelled the same or not: the
 * second, here or in the next batch, would be taken for a repeat of the first, and not be sent.
 */
export function refusePlaceholderRefs<T extends LoteItem>(items: T[]): T[] {
  const fillers = items.map(({ input, faults = [] }) => {
    const reference = faults.some(({ campo }) => campo === 'external_ref') ? null : referenceOf(input);
    return reference !== null && isPlaceholder(reference) ? reference : null;
  });
  if (fillers.filter((one) => one !== null).length < 2) return items;
  return items.map((item, i) => {
    const filler = fillers[i]!;
    return filler === null ? item : { ...item, faults: [...(item.faults ?? []), fillerFault(filler)] };
  });
}

function fillerFault(filler: string): FieldError {
  return {
    campo: 'external_ref',
    codigo: 'formato',
    mensaje: `«${filler}» está en más de una guía, aunque se escriba de otra forma, y no es una referencia. Ponga la de cada pedido, o deje el campo vacío.`,
  };
}
