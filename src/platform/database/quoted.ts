/** For `in (…)` in a statement. @param values of our own, without quotes in them. */
export function quoted(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
