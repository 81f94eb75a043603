import { normalizeText } from './text.js';

/** Words for "nothing" that people and programs leave in a field, without marks, blanks and accents. */
const NOTHING = new Set(
  (
    'na nd sn null nulo nula nil none undefined nan noaplica notapplicable notavailable vacio blank empty ' +
    'ninguno ninguna nada no sinnumero sinreferencia sinref sinnombre sindato sindatos sininformacion ' +
    'pendiente porasignar pordefinir tbd objectobject false'
  ).split(' '),
);

/** Marks and blanks alone, zeros alone, or a row of x. */
const NO_LETTERS = /^(?:[^\p{L}\p{N}]+|[0.,]+|x+)$/iu;

/** Longest text that is looked at. */
const MAX_LENGTH = 30;

/** Whether a text only fills a field that has no value: `N/A`, `-`, `0`, `null`, `s/n`, … */
export function isPlaceholder(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  if (NO_LETTERS.test(text)) return true;
  const letters = text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return NOTHING.has(letters);
}

/**
 * Fewer than for a reference, because there are people called Nada, No or Na. Characters that a text may not have stay: they are
 * refused.
 */
const NO_NAME = /^(?:[^\p{L}\p{N}\p{Cc}\p{Cs}]+|[ns][/.][adn]\.?|null|undefined|\[object Object\])$/iu;

/** Whether a text only fills the field of a person's name. */
export function isNoName(text: string): boolean {
  return text.length <= MAX_LENGTH && NO_NAME.test(text);
}

/** Reads a person's name; a text that names nobody counts as empty. */
export function readPersonName(text: string): string | undefined {
  const name = normalizeText(text);
  return name !== undefined && isNoName(name) ? undefined : name;
}
