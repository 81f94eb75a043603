import type { FieldError } from '../../errors/app-error.js';

/** One guide of a batch, as it was sent. */
export interface LoteItem {
  /** `indice` in a list, from 0; `linea` of a file, from 1. */
  posicion: { indice: number } | { linea: number };
  /** What a single create would get as its body. */
  input: unknown;
  /** Faults of how its values were written. Each replaces what the rules of its field say. */
  faults?: FieldError[];
  /** Whether it has text in a column without a name, which was not read. */
  hasUnreadText?: boolean;
}
