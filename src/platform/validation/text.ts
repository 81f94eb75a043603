/** Control characters, which include line breaks and tabs, and lone surrogates. */
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;
const FORBIDDEN_IN_LINES = /[\p{Cs}]|(?![\n\t])\p{Cc}/u;

/** A character with a shape: neither a blank nor a mark without a width. */
const VISIBLE = /[^\p{Cf}\p{Z}\s]/u;

/** Trims the text and writes line breaks as `\n`; undefined for a text without visible characters. */
export function normalizeText(text: string): string | undefined {
  const trimmed = text.trim();
  if (!VISIBLE.test(trimmed)) return undefined;
  return trimmed.includes('\r') ? trimmed.replace(/\r\n?/g, '\n') : trimmed;
}

/** UTF-16 units of a text whose accents are joined; a longer one is no name. It takes time quadratic in the marks of a letter. */
const MAX_JOINED = 1_000;

/**
 * The same, with accents joined to their letters (Unicode NFC), as most keyboards write them: the name of a place is compared
 * without accents. Not for a reference, which is compared as it was sent and stored before.
 */
export function normalizeName(text: string): string | undefined {
  const name = normalizeText(text);
  return name !== undefined && name.length <= MAX_JOINED ? name.normalize('NFC') : name;
}

/** A name as names are compared: without case, accents and outer blanks. */
export function foldName(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
}

/**
 * Whether a text has a character that we refuse: PostgreSQL fails on NUL and silently replaces a lone
 * surrogate, and other control characters can forge log lines and labels.
 */
export function hasForbiddenCharacter(text: string, multiline: boolean): boolean {
  return (multiline ? FORBIDDEN_IN_LINES : FORBIDDEN).test(text);
}

export function isLongerThan(text: string, max: number): boolean {
  // `length` counts UTF-16 units, one or two for each character, so a short `length` needs no count.
  return text.length > max && lengthInCharacters(text) > max;
}

/** Length in characters (code points), as PostgreSQL's `char_length` counts. */
export function lengthInCharacters(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xdc00 || unit > 0xdfff) length++;
  }
  return length;
}

/** A name from a table of codes, at the beginning of a line. */
export const capitalised = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
