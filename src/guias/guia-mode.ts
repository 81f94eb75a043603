/**
 * SQL of a condition: real guides, or tests. It is also that of the indexes by id and by place, which hold the guides of all
 * merchants.
 * @param guias alias of the table, where there is one.
 */
export function whereMode(isTest: boolean, guias?: string): string {
  return `${isTest ? '' : 'not '}${guias === undefined ? '' : `${guias}.`}de_prueba`;
}
