import { foldName } from '../../../validation/text.js';
import { PARTS } from './headings.js';

/** Shops write their own empty house numbers. */
const NONE = /^(?:-+|n\/?a|s\/?n|null|ninguno|ninguna|0)$/i;

/** The cells of a row in which names and addresses of several columns are one, in the first of their columns. */
export function withParts(
  columns: readonly (string | undefined)[],
  cells: readonly string[],
): { columns: (string | undefined)[]; cells: string[] } {
  const joined = { columns: [...columns], cells: [...cells] };
  for (const [campo, parts] of Object.entries(PARTS)) {
    const at = [campo, ...parts].map((name) => columns.indexOf(name)).filter((i) => i >= 0);
    const [first] = at;
    if (first === undefined) continue;
    const text = at.reduce((whole, i) => joinPart(whole, cells[i]?.trim() ?? ''), '');
    for (const i of at) joined.columns[i] = undefined;
    joined.columns[first] = campo;
    // Cells that a row leaves out at its end.
    while (joined.cells.length <= first) joined.cells.push('');
    joined.cells[first] = text;
  }
  return joined;
}

/** A text with its next part, which may already be its end: `4a calle 5-10` and `5-10`. */
export function joinPart(whole: string, part: string): string {
  if (part === '' || (whole !== '' && NONE.test(part))) return whole;
  if (whole === '') return part;
  return foldName(` ${whole}`).endsWith(` ${foldName(part)}`) ? whole : `${whole} ${part}`;
}
