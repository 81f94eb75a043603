/** Control characters (line breaks and tabs among them) and halves of surrogate pairs. */
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;
const FORBIDDEN_BUT_LAYOUT = /[\p{Cs}]|(?![\n\t])\p{Cc}/u;

/** Whatever these match, and whole surrogate pairs, in half of their time: what is suspect is looked at again. */
const SUSPECT = /[^ -~\xa0-\ud7ff\ue000-\uffff]/;
const SUSPECT_BUT_LAYOUT = /[^\n\t -~\xa0-\ud7ff\ue000-\uffff]/;

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
  return multiline
    ? SUSPECT_BUT_LAYOUT.test(text) && FORBIDDEN_BUT_LAYOUT.test(text)
    : SUSPECT.test(text) && FORBIDDEN.test(text);
}

/** Whether a text has more characters than that. */
export function isLongerThan(text: string, max: number): boolean {
  // A character is one or two of the units that `length` counts.
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
