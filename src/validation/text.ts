/** Control characters (line breaks and tabs among them) and halves of surrogate pairs. */
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;
const FORBIDDEN_BUT_LAYOUT = /[\p{Cs}]|(?![\n\t])\p{Cc}/u;

/** Trims, unites line breaks as `\n`, and takes an empty text as absent. */
export function normalizeText(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return trimmed.includes('\r') ? trimmed.replace(/\r\n?/g, '\n') : trimmed;
}

/**
 * Whether a text has a character that we refuse: NUL breaks PostgreSQL, a lone surrogate is silently
 * replaced there, and other controls forge log lines and labels.
 */
export function forbiddenCharacter(text: string, multiline: boolean): boolean {
  return (multiline ? FORBIDDEN_BUT_LAYOUT : FORBIDDEN).test(text);
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
