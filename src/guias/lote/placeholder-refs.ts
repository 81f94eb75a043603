import type { FieldError } from '../../errors/app-error.js';
import { isPlaceholder } from '../../validation/placeholder.js';
import { referenceOf, type LoteItem } from './lote-item.js';

/**
 * Refuses items whose reference only fills the field and stands in more than one of them: the second would be taken for a
 * repeat of the first, and not be sent.
 */
export function refusePlaceholderRefs<T extends LoteItem>(items: T[]): T[] {
  const counts = new Map<string, number>();
  const references = items.map(({ input, faults = [] }) =>
    faults.some(({ campo }) => campo === 'external_ref') ? null : referenceOf(input),
  );
  for (const one of references) if (one !== null) counts.set(one, (counts.get(one) ?? 0) + 1);
  return items.map((item, i) => {
    const reference = references[i]!;
    if (reference === null || counts.get(reference) === 1 || !isPlaceholder(reference)) return item;
    return { ...item, faults: [...(item.faults ?? []), repeatedPlaceholder(reference)] };
  });
}

function repeatedPlaceholder(reference: string): FieldError {
  return {
    campo: 'external_ref',
    codigo: 'formato',
    mensaje: `«${reference}» está en más de una guía y no es una referencia. Ponga la de cada pedido, o deje el campo vacío.`,
  };
}
