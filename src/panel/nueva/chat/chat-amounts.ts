import type { CountryCode } from 'libphonenumber-js';
import { isTwoAmounts, toNumber } from '../../../guias/lote/csv-cells.js';
import { money } from '../../../guias/local-format.js';
import { MAX } from '../../../guias/limits.js';
import type { ChatField } from './chat-field.js';
import type { ChatText, Span } from './chat-text.js';

const NUMBER = /\d{1,3}(?: \d{3}){1,2}[.,]\d{2}(?!\d)|\d+(?:[.,]\d+){0,4}/g;

/** Numbers that are looked at. */
const MAX_NUMBERS = 80;

/** Signs and words of currencies, folded, by ISO 4217. */
const SIGNS: [before: RegExp, after: RegExp, currencies: readonly string[]][] = [
  [/(?:^|[^a-z])(?:q|gtq|qtz|quetzales) ?[.:]? ?$/, /^ ?(?:q|gtq|qtz|qts|quetzales)(?![a-z])/, ['GTQ']],
  [/(?:^|[^a-z])(?:rd ?\$|dop) ?$/, /^ ?(?:rd ?\$|dop|pesos)(?![a-z])/, ['DOP']],
  [/(?:^|[^a-z])(?:c ?\$|nio) ?$/, /^ ?(?:c\$|cordobas|nio)(?![a-z])/, ['NIO']],
  [/(?:^|[^a-z])(?:mx ?\$|mxn ?\$?) ?$/, /^ ?(?:mxn|pesos|varos)(?![a-z])/, ['MXN']],
  [/(?:^|[^a-z])(?:us ?\$|usd ?\$?|b\/\.?) ?$/, /^ ?(?:usd|dolares|dls|balboas)(?![a-z])/, ['USD', 'PAB']],
  [/(?:^|[^a-z])(?:l|lps?|hnl) ?\.? ?$/, /^ ?(?:l|lps|hnl|lempiras)(?![a-z])/, ['HNL']],
  [/(?:₡|crc) ?$/, /^ ?(?:₡|crc|colones)(?![a-z])/, ['CRC']],
  [/\$ ?$/, /^ ?\$/, ['MXN', 'DOP', 'USD', 'PAB', 'BZD', 'COP', 'CLP', 'ARS']],
];

/** The whole that is to be collected. */
const TOTAL =
  /(?:total|a? ?cobrar|cobro|contra ?entrega|cod|a pagar|saldo|en efectivo)(?: (?:a pagar|a cobrar|es|son|de|del|pedido|seria|por|contra|entrega)){0,4} ?[:=-]? ?(?:[a-z₡]{0,4}[/$]?[.$]?)? ?$/;
const TOTAL_AFTER = /^ ?[a-z$₡]{0,9}[ ,]{0,2}(?:en total|total|contra ?entrega|al recibir|en efectivo)/;

/** A price, or a word before many other numbers. */
const PRICE =
  /(?:son|serian?|precio|monto|valor|costo|importe|pagar?|pago|debo|sale|salen|queda en|quedan en) ?(?:de|los)? ?[:=-]? ?$/;

const NO_AMOUNT_BEFORE =
  /(?:zona|calle|avenida|av|ave|casa|lote|manzana|mz|km|kilometro|talla|apto|apartamento|nivel|sector|numero|no|nit|dpi|pedido|orden|cuenta|las|los|tel|cel|#)[.:º°#]? ?$/;
const NO_AMOUNT_AFTER = /^ ?(?:calle|avenida|av|ave|am|pm|a\.m|p\.m|hrs|horas|-\d|[°º:]\d|%)/;
const QUESTION = /^[^.\n\d]{0,20}(?:\?|verdad|cierto|correcto|creo|si no me equivoco)/;
const DOUBT = /(?:creo|como|casi|mas o menos|aprox|aproximado|alrededor de)[^\d\n]{0,16}$/;
const EACH = /^ ?[a-z$₡]{0,10} ?(?:c\/u|cada|por unidad|la unidad|el par|por pieza)/;
const SHIPPING_BEFORE =
  /(?:envio|delivery|flete)(?: (?:de|es|son|cuesta|vale))? ?[:=-]? ?[a-z₡]{0,3}\$?\.? ?$/;
const SHIPPING_AFTER =
  /^ ?(?!(?:y|mas|con|sin|incluye|incluyendo) )[a-z$₡]{0,10} ?(?:de|del|por el|por)? ?(?:envio|delivery|flete)(?! (?:ya )?(?:inclu|gratis))/;
const PAID_BEFORE =
  /(?:anticipo|abono|abone|adelanto|deposite|transferi|deposito|ya pague|ya di|le di|descuento) ?(?:de|los|un)? ?[a-z₡]{0,3}\$?\.? ?$/;
const PLUS_SHIPPING = /(?:mas|\+|y el|sin) (?:el )?(?:envio|delivery|flete)/;
const PAID =
  /(?:ya (?:esta |lo |la |le )?(?:pague|pagado|pagada|cancele|cancelado|deposite|transferi)|ya hice (?:el |la )?(?:pago|deposito|transferencia)|(?:esta|todo) (?:pagado|cancelado)|nada (?:que|por) cobrar|sin cobro|no cobrar)/;

interface Candidate extends Span {
  written: string;
  /** 3: said to be the total; 2: has a currency; 1: has a word of prices, or two decimals; less: shipping. */
  strength: number;
  /** Whether it is what the shipping costs. */
  isShipping: boolean;
  notes: string[];
}

/** Takes the amounts of a text; a doubtful one has a note. @param currency of the merchant, ISO 4217. */
export function readAmount(chat: ChatText, currency: string, country: CountryCode): ChatField | undefined {
  const whole = chat.rest;
  const candidates = candidatesIn(chat, currency);
  for (const candidate of candidates) chat.take(candidate);
  if (candidates.length === 0)
    return PAID.test(whole) ? { valor: '0', nota: 'Parece que ya pagó. ¿No se cobra nada?' } : undefined;
  const strongest = Math.max(...candidates.map(({ strength }) => strength));
  const [first, ...others] = candidates.filter(({ strength }) => strength === strongest);
  const chosen = first!;
  const valor = toNumber(chosen.written, ';');
  const notes = [...chosen.notes];
  if (isTwoAmounts(chosen.written)) {
    const [thousands, unit] = [chosen.written.replace(/[.,]/, ''), chosen.written.replace(',', '.')];
    const said = `¿Son ${money(thousands, currency, country)} o ${money(unit, currency, country)}?`;
    return { valor: chosen.written, nota: `${said} Escríbalo sin separador de miles y con dos decimales.` };
  }
  if (valor === undefined || valor > MAX.cod_amount)
    notes.push('No se entiende el monto. Escríbalo solo con cifras.');
  const parts = candidates.filter((one) => one !== chosen);
  const isSum = others.length === 0 && strongest === 3 && isSumOf(valor, parts);
  const different = candidates.filter(({ written }) => toNumber(written, ';') !== valor);
  const isApart = different.every(({ isShipping }) => isShipping);
  if (!isSum && different.length > 0 && !isApart)
    notes.push('Hay más de un monto en el texto. ¿Cuánto se cobra?');
  else if (!isSum && (different.length > 0 || PLUS_SHIPPING.test(whole)))
    notes.push('Habla del envío aparte. ¿Cuánto se cobra en total?');
  if (strongest <= 1) notes.push('Confirme el monto.');
  if (PAID.test(whole)) notes.push('Parece que ya pagó. ¿Se cobra?');
  return { valor: valor === undefined ? chosen.written : written(valor), nota: notes[0] };
}

function candidatesIn(chat: ChatText, currency: string): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { start, end } of chat.find(NUMBER, MAX_NUMBERS)) {
    const text = chat.rest.slice(start, end);
    const [before, after] = [chat.before(start, 40), chat.after(end, 30)];
    if (/[\d/-]$/.test(before) || /^[/-]?\d/.test(after)) continue;
    const sign = SIGNS.find(([left, right]) => left.test(before) || right.test(after));
    const isTotal = TOTAL.test(before) || TOTAL_AFTER.test(after);
    if (sign === undefined && (NO_AMOUNT_BEFORE.test(before) || NO_AMOUNT_AFTER.test(after))) continue;
    const decimals = /[.,]\d{2}$/.test(text);
    const isPrice = (PRICE.test(before) || decimals) && (Number(text) >= 10 || /[.,]/.test(text));
    const isShipping = SHIPPING_BEFORE.test(before) || SHIPPING_AFTER.test(after);
    // Phone numbers stand after the same words.
    if (sign === undefined && /\d[ .-]$/.test(before)) continue;
    if (sign === undefined && !decimals && (text.length > 6 || /^[ .-]\d/.test(after))) continue;
    const strength = isShipping ? 0.5 : isTotal ? 3 : sign ? 2 : isPrice ? 1 : 0;
    if (strength === 0) continue;
    const notes: string[] = [];
    if (QUESTION.test(after) || DOUBT.test(before)) notes.push('El cliente lo preguntó. Confirme el monto.');
    if (EACH.test(after)) notes.push('Es el precio de cada uno. ¿Cuánto se cobra en total?');
    if (PAID_BEFORE.test(before)) notes.push('Habla de un pago ya hecho. ¿Cuánto falta por cobrar?');
    if (isShipping) notes.push('Es el precio del envío. ¿Cuánto se cobra en total?');
    if (sign && !sign[2].includes(currency)) notes.push('Está en otra moneda. Escriba el monto en la suya.');
    // The sign is read with it.
    const from = start - (sign?.[0].exec(before)?.[0].replace(/^[^a-z$₡]/, '').length ?? 0);
    const to = end + (sign?.[1].exec(after)?.[0].length ?? 0);
    candidates.push({ start: from, end: to, written: text, strength, isShipping, notes });
  }
  return candidates;
}

function isSumOf(total: number | undefined, parts: Candidate[]): boolean {
  const sum = parts.reduce(
    (cents, { written: text }) => cents + Math.round(100 * (toNumber(text, ';') ?? NaN)),
    0,
  );
  return parts.length > 1 && total !== undefined && sum === Math.round(100 * total);
}

const written = (amount: number) => (Number.isInteger(amount) ? String(amount) : amount.toFixed(2));
