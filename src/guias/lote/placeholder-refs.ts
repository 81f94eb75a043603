import type { FieldError } from '../../platform/errors/app-error.js';
import { isPlaceholder } from '../../platform/validation/placeholder.js';
import { foldName } from '../../platform/validation/text.js';
import { referenceOf, type LoteItem } from './lote-item.js';

/**
 * Refuses items whose reference only fills the field and stands in more than one of them, `N/A` and `n/a` alike: the second,
 * here or in the next batch, would be taken for a repeat of the first, and not be sent.
 */
export function refusePlaceholderRefs<T extends LoteItem>(items: T[]): T[] {
  const fillers = items.map(({ input, faults = [] }) => {
    const reference = faults.some(({ campo }) => campo === 'external_ref') ? null : referenceOf(input);
    return reference !== null && isPlaceholder(reference) ? reference : null;
  });
  const counts = new Map<string, number>();
  for (const one of fillers)
    if (one !== null) counts.set(foldName(one), (counts.get(foldName(one)) ?? 0) + 1);
  return items.map((item, i) => {
    const filler = fillers[i]!;
    if (filler === null || counts.get(foldName(filler)) === 1) return item;
    return { ...item, faults: [...(item.faults ?? []), repeatedPlaceholder(filler)] };
  });
}

function repeatedPlaceholder(reference: string): FieldError {
  return {
    campo: 'external_ref',
    codigo: 'formato',
    mensaje: `«${reference}» está en más de una guía y no es una referencia. Ponga la de cada pedido, o deje el campo vacío.`,
  };
}
