/** An id that a provider sent; null for one that is missing, invalid or longer than `max` characters. */
export function answerId(value: unknown, max: number): string | null {
  return typeof value === 'string' && value.length <= max && /^[^\p{C}]+$/u.test(value) ? value : null;
}
