/** Of the first two words, which begin with a letter or a digit. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{Alphabetic}\p{N}]\S*/gu) ?? [];
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0)!).toUpperCase())
    .join('');
}
