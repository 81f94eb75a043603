/**
 * SQL of a condition: real guides, or tests. The indexes by id have it as their condition, those of all
 * merchants' lists as a column.
 * @param guias alias of the table, where there is one.
 */
export function modeOf(isTest: boolean, guias?: string): string {
  return `${isTest ? '' : 'not '}${guias === undefined ? '' : `${guias}.`}de_prueba`;
}
