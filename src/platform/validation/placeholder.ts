import { normalizeText } from './text.js';

/** Words for "nothing" that people and programs leave in a field, without marks, blanks and accents. */
const NOTHING = new Set(
  (
    'na nd sn null nulo nula nil none undefined nan noaplica notapplicable notavailable vacio blank empty ' +
    'ninguno ninguna nada no sinnumero sinreferencia sinref sinnombre sindato sindatos sininformacion ' +
    'pendiente porasignar pordefinir tbd objectobject false'
  ).split(' '),
);

/** Letters, also decorated ones (Ⓐ, ⒜, 🅐), or digits. */
const LETTER_OR_DIGIT = /[\p{Alphabetic}\u249c-\u24b5\p{N}]/u;

/** Zeros alone, or a row of x. */
const NO_VALUE = /^(?:[0.,]+|x+)$/i;

/** Longest text that is looked at. */
const MAX_LENGTH = 30;

/** Whether a text only fills a field that has no value: `N/A`, `-`, `0`, `null`, `s/n`, … */
export function isPlaceholder(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  if (text !== '' && !LETTER_OR_DIGIT.test(text)) return true;
  if (NO_VALUE.test(text)) return true;
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return NOTHING.has(letters);
}

/** Fewer than for a reference: there are people called Nada, No or Na. Forbidden characters stay, to be refused. */
const NO_NAME = /^(?:[ns][/.][adn]\.?|null|undefined|\[object Object\])$/i;
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

/** Whether a text only fills the field of a person's name. */
export function isNoName(text: string): boolean {
  if (text === '' || text.length > MAX_LENGTH || FORBIDDEN.test(text)) return false;
  return !LETTER_OR_DIGIT.test(text) || NO_NAME.test(text.normalize('NFKC'));
}

/** Reads a person's name; a text that names nobody counts as empty. */
export function readPersonName(text: string): string | undefined {
  const name = normalizeText(text);
  return name !== undefined && isNoName(name) ? undefined : name;
}
