/** The least part of their letters that two names share. */
const LEAST_SHARED = 0.75;

/** The same of names with one initial, which is seldom mistyped: `lon` is near `lng`, `precio` is not near `direccion`. */
const LEAST_SHARED_WITH_INITIAL = 2 / 3;

/** Letters of a name that are compared. */
const MAX_LETTERS = 50;

/** The known name that a mistyped one resembles most; undefined where none does. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const written = name.slice(0, MAX_LETTERS).toLowerCase();
  let nearest: string | undefined;
  let best = 0;
  for (const candidate of known) {
    const least = written[0] === candidate[0] ? LEAST_SHARED_WITH_INITIAL : LEAST_SHARED;
    const both = written.length + candidate.length;
    // Most names differ too much in length to be compared.
    if ((2 * Math.min(written.length, candidate.length)) / both < least) continue;
    const shared = (2 * commonLetters(written, candidate)) / both;
    if (shared >= least && shared > best) [nearest, best] = [candidate, shared];
  }
  return nearest;
}

/** Length of the longest common subsequence: letters that both have in the same order. */
function commonLetters(a: string, b: string): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const letter of a) {
    const row = [0];
    for (let i = 1; i <= b.length; i++)
      row[i] = letter === b[i - 1] ? above[i - 1]! + 1 : Math.max(above[i]!, row[i - 1]!);
    above = row;
  }
  return above[b.length]!;
}
