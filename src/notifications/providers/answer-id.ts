/** An id in a provider's answer; null where there is none, or none worth keeping. `max` in characters. */
export function answerId(value: unknown, max: number): string | null {
  return typeof value === 'string' && value.length <= max && /^[^\p{C}]+$/u.test(value) ? value : null;
}
