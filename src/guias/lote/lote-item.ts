import type { FieldError } from '../../platform/errors/app-error.js';
import { hasForbiddenCharacter, isLongerThan, normalizeText } from '../../platform/validation/text.js';
import { MAX } from '../guia/limits.js';

/** One guide of a batch, as it was sent. */
export interface LoteItem {
  /** `indice` in a list, from 0; `linea` of a file, from 1. */
  posicion: { indice: number } | { linea: number };
  /** As the body of a single create. */
  input: unknown;
  /** Faults of how its values were written. Each replaces what the rules of its field say. */
  faults?: FieldError[];
  /** Number of the guide that a row of an exported list bears. */
  guia?: string;
  /** Whether it has text in a column without a name, which was not read. */
  hasUnreadText?: boolean;
}

/** The reference of an item, whatever else is wrong with it; null if it has none, or an invalid one. */
export function referenceOf(input: unknown): string | null {
  const sent = (input as { external_ref?: unknown } | null)?.external_ref;
  const text = typeof sent === 'string' ? normalizeText(sent) : undefined;
  if (text === undefined || isLongerThan(text, MAX.external_ref)) return null;
  return hasForbiddenCharacter(text, false) ? null : text;
}
