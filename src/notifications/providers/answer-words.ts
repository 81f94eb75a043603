/** Characters that are shown of an answer. */
const MAX_WORDS = 200;

/** Characters of an answer that are read. */
const MAX_READ = 2_000;

/** Fields of a JSON answer that say what went wrong, the first that it has. */
const FIELDS = ['detail', 'mensaje', 'message', 'error'];

/** What may be a secret or personal: it is replaced by `…`. */
const HIDDEN = [
  /<(?:style|script)\b[^>]{0,200}>[^<]*|<[^>]{0,200}>/gi,
  /\b(?:bearer|basic)\s+\S+/gi,
  /\b(?:token|secret|password|clave|key|apikey|api_key)\b["']?\s?[:=]\s?\S+/gi,
  /\S+@\S+/g,
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi,
  /\+?\d(?:[ ().-]{0,2}\d){6,}/g,
  /[A-Za-z0-9_-]{24,}/g,
];

/**
 * The words of a provider's answer, for support: what its JSON says in `detail` (or `message`, …), else its text. At most 200
 * characters; without tags, addresses, numbers of 7 digits or more, and anything that may be a key. Null if nothing is left.
 */
export function answerWords(text: string, json: unknown): string | null {
  const said = fieldOf(json) ?? text;
  const shown = HIDDEN.reduce((words, pattern) => words.replace(pattern, ' … '), said.slice(0, MAX_READ))
    .replace(/[\p{Cc}\p{Cf}\p{Z}\uFFFD]+/gu, ' ')
    .replace(/(?:… ?)+/g, '… ')
    .replace(/^[… ]+|[… ]+$/g, '');
  if (shown === '') return null;
  return shown.length <= MAX_WORDS ? shown : `${shown.slice(0, MAX_WORDS - 1)}…`;
}

function fieldOf(json: unknown): string | undefined {
  if (typeof json === 'string') return json;
  if (typeof json !== 'object' || json === null) return undefined;
  for (const name of FIELDS) {
    const value = (json as Record<string, unknown>)[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'object' && value !== null) return fieldOf(value);
  }
  return undefined;
}
