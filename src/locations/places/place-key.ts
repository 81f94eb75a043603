const ABBREVIATIONS: Record<string, string> = {
  ...{ sta: 'santa', sto: 'santo', sn: 'san', gral: 'general', cd: 'ciudad', mpio: 'municipio' },
  ...{ depto: 'departamento', dpto: 'departamento', edo: 'estado', gpe: 'guadalupe' },
};

/** Kinds of places that people write before a name, and articles, with which a name is the same. */
const BEFORE =
  /^(?:(?:municipio|departamento|distrito|provincia|canton|alcaldia) del? )?(?:(?:la|el|los|las) )?(?=.)/;

/** The same text for two spellings of a place: no case, accents, punctuation, abbreviations or words before the name. */
export function placeKey(name: string): string {
  return keyOfWords(wordsOf(name));
}

/** The words of a name as they are in its key, before those that a key leaves out. */
export function wordsOf(name: string): string[] {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (Object.hasOwn(ABBREVIATIONS, word) ? ABBREVIATIONS[word]! : word));
}

/** @param words as `wordsOf` returns them. */
export function keyOfWords(words: readonly string[]): string {
  return words.join(' ').replace(BEFORE, '');
}
