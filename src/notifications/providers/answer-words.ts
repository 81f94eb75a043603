/** Characters that are shown of an answer. */
const MAX_WORDS = 200;

/** Characters of an answer that are read. */
const MAX_READ = 2_000;

/** Fields of a JSON answer that say what went wrong; the first that it has counts. */
const FIELDS = ['detail', 'mensaje', 'message', 'error'];

/** Stands for what is not shown. */
const MASK = '…';

/** Words after which, or in which with a value, something secret stands. */
const SECRETS = ['bearer', 'basic', 'token', 'secret', 'password', 'clave', 'key'];

/** A link, also without its scheme. */
const LINK = /:\/\/|^\W*www\.|\w\.[a-z]{2,}\//i;

/** Digits from which a number may be a phone. */
const PHONE_DIGITS = 7;

/**
 * The words of a provider's answer, for support: what its JSON says in `detail` (or `message`, …), else its text. At most 200
 * characters, without tags; addresses, numbers of 7 digits or more and what may be a key are masked. Null if nothing is left.
 */
export function answerWords(text: string, json: unknown): string | null {
  const said = (fieldOf(json) ?? text).slice(0, MAX_READ).replace(/<[^<>]*>/g, ' ');
  const words = said.split(/[\p{Cc}\p{Cf}\p{Z}\uFFFD]/u).filter((word) => word !== '');
  const hidden = hiddenOf(words);
  if (hidden.every(Boolean)) return null;
  const shown = words
    .map((word, n) => (hidden[n] ? MASK : word))
    .filter((_, n) => !(hidden[n] && hidden[n - 1]))
    .join(' ');
  return shown.length <= MAX_WORDS ? shown : `${shown.slice(0, MAX_WORDS - 1)}…`;
}

/** Words of a message by which a provider's answer is seen to repeat it. */
const REPEATED_WORDS = 3;

/** Whether a provider's words repeat what was sent, with the recipient's name, or the PIN. */
export function repeatsMessage(
  words: string,
  { texto, pin }: { texto: string; pin: string | null },
): boolean {
  const begin = texto.split(/\s+/).slice(0, REPEATED_WORDS).join(' ');
  return (begin !== '' && words.includes(begin)) || (pin !== null && words.includes(pin));
}

/** Marks words that may be secret or personal. */
function hiddenOf(words: string[]): boolean[] {
  const hidden = words.map((word, n) => isHidden(word) || (n > 0 && isSecretOf(words[n - 1]!, word)));
  // A phone may be written in groups.
  for (let from = 0; from < words.length;) {
    let to = from;
    while (to < words.length && isNumber(words[to]!)) to++;
    if (digitsOf(words.slice(from, to).join('')) >= PHONE_DIGITS) hidden.fill(true, from, to);
    from = to + 1;
  }
  return hidden;
}

function isHidden(word: string): boolean {
  if (word.includes('@') || LINK.test(word) || digitsOf(word) >= PHONE_DIGITS) return true;
  const lower = word.toLowerCase();
  const hasValue = /[:=]./.test(word);
  return (hasValue && SECRETS.some((name) => lower.includes(name))) || /[\w-]{24}/.test(word);
}

/** Whether a word stands after the name of a secret: not `expirado` in "token expirado". */
function isSecretOf(before: string, word: string): boolean {
  const name = before.toLowerCase().replaceAll(/["':=,{]/g, '');
  if (!SECRETS.includes(name)) return false;
  return /[:=]/.test(before) || name === 'bearer' || name === 'basic' || !/^\p{L}+[.,;]?$/u.test(word);
}

const isNumber = (word: string) => /^[+\d().,-]+$/.test(word);
const digitsOf = (text: string) => text.replaceAll(/\D/g, '').length;

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
