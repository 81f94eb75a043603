/**
 * An array as PostgreSQL reads it, of values that need no quotes: ids and numbers of ours, never text that
 * somebody sent. For arrays of hundreds: the driver would search each value for quotes.
 */
export function arrayLiteral(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`;
}
