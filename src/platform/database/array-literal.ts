/**
 * An array as PostgreSQL reads it, of values that need no quotes: our ids and numbers, never text from outside. For arrays
 * of hundreds, in which the driver would search each value for quotes.
 */
export function arrayLiteral(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`;
}
