/** The languages of the recipient's page, in the order of each pair. */
const LANGUAGES = ['es', 'en'] as const;

/** The same in Spanish and in English. */
export type Pair<T = string> = readonly [es: T, en: T];

export interface PairTable {
  readonly [name: string]: PairTable | Pair<unknown> | undefined;
}

/** A table with one text in place of each pair. */
type Texts<T> = T extends Pair<infer Text> ? Text : { [Name in keyof T]: Texts<T[Name]> };

export function textsIn<T extends object>(table: T, language: (typeof LANGUAGES)[number]): Texts<T> {
  const pick = (value: object): unknown =>
    Array.isArray(value)
      ? value[LANGUAGES.indexOf(language)]
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pick(one as object)]));
  return pick(table) as Texts<T>;
}
