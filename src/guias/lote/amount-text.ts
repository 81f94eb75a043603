import type { CountryCode } from 'libphonenumber-js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { foldName } from '../../platform/validation/text.js';
import { currencySymbol } from '../guia/local-format.js';

/** Signs that people write beside the country's own, by ISO 4217. */
const OTHER_SIGNS: Record<string, readonly string[]> = {
  GTQ: ['qtz', 'qts'],
  HNL: ['lp', 'lps'],
  USD: ['$', 'us$', 'dls'],
  PAB: ['$', 'us$', 'usd', 'dolares'],
  DOP: ['$'],
  MXN: ['mx$'],
  BZD: ['bz$'],
};

/** Characters of an amount with its currency. */
const MAX_LENGTH = 40;

/** The text before a number, the number, and the text after it. */
const PARTS = /^([^\d+-]*)([+-]?\d(?:.*\d)?)(\D*)$/;

/** Blanks between thousands can be meant in no other way. */
const GROUPED_WITH_BLANKS = /^[+-]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+$/;

/** By country and currency. */
const signs = new Map<string, ReadonlySet<string>>();

/**
 * An amount without the sign or the name of its currency, `Q 349.50` and `350 quetzales`, and without the blanks between
 * thousands; any other text as it is. @param currency ISO 4217; another one is not taken off.
 */
export function plainAmount(text: string, currency: string, country: CountryCode): string {
  const [, before = '', number, after = ''] = (text.length <= MAX_LENGTH && PARTS.exec(text.trim())) || [];
  if (number === undefined) return text;
  const own = signsOf(currency, country);
  if (![before, after].every((sign) => sign.trim() === '' || own.has(signKey(sign)))) return text;
  return GROUPED_WITH_BLANKS.test(number) ? number.replace(/\s/g, '') : number;
}

/** Whether a text names a currency: its code, sign or name. @param currency ISO 4217. */
export const isCurrency = (text: string, currency: string, country: CountryCode): boolean =>
  signsOf(currency, country).has(signKey(text.slice(0, MAX_LENGTH)));

/** The texts of a form, the amount among them as `plainAmount` reads it. */
export function withPlainAmount<T extends Partial<Record<string, string>>>(
  texts: T,
  { currency, country }: Pick<Merchant, 'currency' | 'country'>,
): T {
  const { cod_amount } = texts;
  return cod_amount === undefined
    ? texts
    : { ...texts, cod_amount: plainAmount(cod_amount, currency, country) };
}

/** A sign as it is compared: without case, accents, blanks and the point or colon after it. */
const signKey = (sign: string): string => foldName(sign).replace(/\s/g, '').replace(/[.:]$/, '');

function signsOf(currency: string, country: CountryCode): ReadonlySet<string> {
  const key = `${country} ${currency}`;
  let own = signs.get(key);
  if (own === undefined) {
    const words = [1, 2].map((count) => nameOf(currency, count));
    const all = [currency, currencySymbol(currency, country), ...words, ...(OTHER_SIGNS[currency] ?? [])];
    signs.set(key, (own = new Set(all.map(signKey))));
  }
  return own;
}

/** `quetzal`, `quetzales`: of "dólares estadounidenses" the first word. */
function nameOf(currency: string, count: number): string {
  const format = new Intl.NumberFormat('es', { style: 'currency', currency, currencyDisplay: 'name' });
  return format
    .formatToParts(count)
    .find(({ type }) => type === 'currency')!
    .value.split(' ')[0]!;
}
