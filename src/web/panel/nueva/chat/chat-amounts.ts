import type { CountryCode } from 'libphonenumber-js';
import { money } from '../../../../guias/guia/local-format.js';
import { hasNoCents, maxAmount } from '../../../../guias/guia/limits.js';
import { isTwoAmounts, toNumber } from '../../../../guias/lote/csv-cells.js';
import type { ChatField, ChatText, Span } from './chat-text.js';

const NUMBER = /\d{1,3}(?: \d{3}){1,2}[.,]\d{2}(?!\d)|\d+(?:[.,'’‘´`]\d+){0,4}/g;

/** Thousands in groups between blanks. A phone's groups go on. */
const BLANK_GROUPS = /^(?: \d{3}){1,2}(?! ?[-.]?\d)/;

const MAX_NUMBERS = 80;

/** Signs and words of currencies, folded, by ISO 4217. */
const SIGNS: [before: RegExp, after: RegExp, currencies: readonly string[]][] = [
  [/(?:^|[^a-z])(?:q|gtq|qtz|quetzales) ?[.:]? ?$/, /^ ?(?:q|gtq|qtz|qts|quetzales)(?![a-z])/, ['GTQ']],
  [/(?:^|[^a-z])(?:rd ?\$|dop) ?$/, /^ ?(?:rd ?\$|dop)(?![a-z])/, ['DOP']],
  [/(?:^|[^a-z])(?:c ?\$|nio) ?$/, /^ ?(?:c\$|cordobas|nio)(?![a-z])/, ['NIO']],
  [/(?:^|[^a-z])(?:mx ?\$|mxn ?\$?) ?$/, /^ ?(?:mxn|varos)(?![a-z])/, ['MXN']],
  [/(?:^|[^a-z])(?:s\/ ?\.?|pen) ?$/, /^ ?(?:soles|pen)(?![a-z])/, ['PEN']],
  [/(?:^|[^a-z])(?:bs\.?|bob) ?$/, /^ ?(?:bs|bob|bolivianos)(?![a-z])/, ['BOB']],
  // Of no text before it.
  [/(?!)/, /^ ?(?:pesos|pesitos)(?![a-z])/, ['DOP', 'MXN', 'COP', 'CLP', 'ARS']],
  [/(?:^|[^a-z])(?:us ?\$|usd ?\$?|b\/\.?) ?$/, /^ ?(?:usd|dolares|dls|balboas)(?![a-z])/, ['USD', 'PAB']],
  [/(?:^|[^a-z])(?:l|lps?|hnl) ?\.? ?$/, /^ ?(?:l|lps|hnl|lempiras)(?![a-z])/, ['HNL']],
  [/(?:₡|crc) ?$/, /^ ?(?:₡|crc|colones)(?![a-z])/, ['CRC']],
  [/\$ ?$/, /^ ?\$/, ['MXN', 'DOP', 'USD', 'PAB', 'BZD', 'COP', 'CLP', 'ARS']],
];

/** The whole that is to be collected. */
const TOTAL =
  /(?:total|a? ?cobrar|cobro|contra ?entrega|cod|a pagar|saldo|en efectivo)(?: (?:a pagar|a cobrar|es|son|de|del|pedido|seria|por|contra|entrega)){0,4} ?[:=-]? ?(?:[a-z₡]{0,4}[/$]?[.$]?)? ?$/;
const TOTAL_AFTER =
  /^ ?[a-z$₡]{0,9}[ ,]{0,2}(?:en total|total(?! ?[:=]? ?[a-z₡]{0,4}[/$]?[.$]? ?\d)|contra ?entrega|al recibir|en efectivo)/;

/** Words of the rest to be collected, where a part has been paid. */
const REST =
  /(?:^|[^a-z])(?:resta|restan|restante|resto|saldo(?: pendiente)?|pendiente|faltan?|faltante|quedan?|diferencia|adeuda|debo|debe)(?: (?:a pagar|a cobrar|por pagar|por cobrar|de pagar|pendiente|es|son|de|contra|entrega|debiendo|un saldo)){0,3} ?[:=-]? ?(?:[a-z₡]{0,4}[/$]?[.$]?)? ?$/;

/** A part that has been paid. */
const DEPOSIT =
  /(?:^|[^a-z])(?:anticipos?|abonos?|abone|abono|adelanto|adelante|enganche|a cuenta)(?![a-z])|(?:^|[^a-z])(?:deposite|deposito|transferi|apartado|aparto|reserva|sena|pague|pagado|le di|ya di)(?: [a-z]{1,6}){0,2} ?[:=-]? ?[a-z₡]{0,3}\$?\.? ?\d/;

const DISCOUNT = /(?:^|[^a-z])(?:descuento|rebaja|cupon|menos)(?![a-z])|\d ?%/;

const SUBTOTAL = /(?:sub|parcial)[ -]?(?:total)? ?[:=-]? ?(?:[a-z₡]{0,4}[/$]?[.$]?)? ?$/;

/** With what somebody pays, of which there is change. */
const TENDERED =
  /(?:cambio|vuelto|vuelta|feria|sencillo|pag[oa]r? con|billetes?)(?: (?:de|del|para|un|billete|con)){0,3} ?[:=-]? ?[a-z₡]{0,4}\$?\.? ?$/;

/** Characters that go on with a number, so that the number is not the amount. */
const GOES_ON =
  /^(?:[^\s\d.,;:!?)\]*_~"”»\-=\p{Extended_Pictographic}/]| ?[½¼¾×*x+] ?\d{1,4}(?! ?-?\d)| ?-? ?[½¼¾]| ?- ?\d{1,4}(?![ -]?\d)| (?:o|u|a|y|con|por|menos|mas|hasta|entre) ?\d{1,6}(?![ -]?\d)| (?:y |con )?(?:medio|media|mil|mill|cien|doscient|trescient|cuatrocient|quinient|seiscient|setecient|ochocient|novecient|diez|once|doce|quince|veint|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|pico|docena|gruesa))/u;

/** A word of a number before it: `mil 500`. */
const GOES_BEFORE =
  /(?:^|[^a-z])(?:mil|millon|millones|cien|ciento|medio|[a-z]{2,8}cient[oa]s|quinient[oa]s) ?(?:y |con )?$/;

/** A price, or a word before many other numbers. */
const PRICE =
  /(?:son|serian?|precio|monto|valor|costo|importe|pagar?|pago|debo|sale|salen|queda en|quedan en) ?(?:de|los)? ?[:=-]? ?$/;

const NO_AMOUNT_BEFORE =
  /(?:zona|calle|avenida|av|ave|casa|lote|manzana|mz|km|kilometro|talla|apto|apartamento|nivel|sector|numero|no|nit|dpi|pedido|orden|cuenta|las|los|tel|cel|#)[.:º°#]? ?$/;
const NO_AMOUNT_AFTER = /^ ?(?:calle|avenida|av|ave|am|pm|a\.m|p\.m|hrs|horas|-\d|[°º:]\d|%)/;
const QUESTION = /^[^.\n\d]{0,20}(?:\?|verdad|cierto|correcto|creo|si no me equivoco)/;
const DOUBT =
  /(?:creo|como|casi|mas o menos|entre|desde|minimo|maximo|menos de|mas de|aprox|aproximado|alrededor de)[^\d\n]{0,16}$/;
/** Before the price of one of several: `3 vestidos de Q100`. */
const SEVERAL =
  /(?:^|[^\d.,-])(?:[2-9]|1\d|dos|tres|cuatro|cinco|seis|docena)(?: [a-z]{2,15}){1,3} (?:de|a|por|x) ?[a-z₡]{0,4}[/$]?[.$]? ?$/;
const EACH = /^ ?[a-z$₡]{0,10} ?(?:c\/u|cada|por unidad|la unidad|el par|por pieza)/;
const SHIPPING_BEFORE =
  /(?:envio|delivery|flete)(?: (?:de|es|son|cuesta|vale))? ?[:=-]? ?[a-z₡]{0,3}\$?\.? ?$/;
const SHIPPING_AFTER =
  /^ ?(?!(?:y|mas|con|sin|incluye|incluyendo) )[a-z$₡]{0,10} ?(?:de|del|por el|por)? ?(?:envio|delivery|flete)(?! (?:ya )?(?:inclu|gratis))/;
const PAID_BEFORE =
  /(?:anticipo|abono|abone|adelanto|deposite|transferi|deposito|enganche|pagado|apartado|a cuenta|sena|ya pague|ya di|le di|cancele|descuento|rebaja)(?: (?:de|los|un|es|fue|son|por|con))? ?[:=-]? ?[a-z₡]{0,3}\$?\.? ?$/;
const PLUS_SHIPPING = /(?:mas|\+|y el|sin) (?:el )?(?:envio|delivery|flete)/;
const PAID =
  /(?:ya (?:esta |lo |la |le )?(?:pague|pagado|pagada|cancele|cancelado|deposite|transferi)|ya hice (?:el |la )?(?:pago|deposito|transferencia)|(?:esta|todo) (?:pagado|cancelado)|(?:^|[^a-z])(?:pagad|cancelad)[oa]s?(?![a-z])|nada (?:que|por) cobrar|sin cobro|no cobrar)/;

interface Candidate extends Span {
  written: string;
  /** Undefined where it is not understood. */
  value: number | undefined;
  /** 4: said to be what is left to pay; 3: said to be the total; 2: has a currency; 1: has a word of prices, or two decimals; less: shipping. */
  strength: number;
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
  const { value } = chosen;
  const parts = candidates.filter((one) => one !== chosen);
  const notes = [...chosen.notes];
  if (isTwoAmounts(chosen.written) && value !== undefined && !hasNoCents(currency)) {
    const unit = chosen.written.replace(',', '.');
    const said = `¿Son ${money(value, currency, country)} o ${money(unit, currency, country)}?`;
    return { valor: chosen.written, nota: `${said} Escríbalo sin separador de miles y con dos decimales.` };
  }
  if (value === undefined || value > maxAmount(currency))
    notes.push('No se entiende el monto. Escríbalo solo con cifras.');
  if (value !== undefined && value > 0 && value < 100 && hasNoCents(currency))
    notes.push('Es poco para su moneda. ¿Faltan los miles?');
  const isSum = others.length === 0 && strongest === 3 && isSumOf(value, parts);
  const isLeft = others.length === 0 && strongest === 4 && isLeftOf(value, parts);
  const isKnown = isSum || isLeft;
  const different = candidates.filter((one) => one.value !== value);
  const isApart = different.every(({ isShipping }) => isShipping);
  if (!isKnown && (strongest === 4 ? parts.length > 0 : DEPOSIT.test(whole)))
    notes.push('Habla de un pago ya hecho. ¿Cuánto falta por cobrar?');
  else if (!isKnown && DISCOUNT.test(whole)) notes.push('Habla de un descuento. ¿Cuánto se cobra?');
  if (!isKnown && different.length > 0 && !isApart)
    notes.push('Hay más de un monto en el texto. ¿Cuánto se cobra?');
  else if (!isKnown && (different.length > 0 || PLUS_SHIPPING.test(whole)))
    notes.push('Habla del envío aparte. ¿Cuánto se cobra en total?');
  if (strongest <= 1) notes.push('Confirme el monto.');
  if (PAID.test(whole)) notes.push('Parece que ya pagó. ¿Se cobra?');
  return { valor: value === undefined ? chat.at(chosen) : written(value), nota: notes[0] };
}

function candidatesIn(chat: ChatText, currency: string): Candidate[] {
  const candidates: Candidate[] = [];
  let read = 0;
  for (const { start, end: digits } of chat.find(NUMBER, MAX_NUMBERS)) {
    if (start < read) continue;
    const before = chat.before(start, 40);
    let end = digits;
    if (SIGNS.some(([left]) => left.test(before)) || TOTAL.test(before))
      if (digits - start <= 3) end += BLANK_GROUPS.exec(chat.after(digits, 12))?.[0].length ?? 0;
    const text = chat.rest.slice(start, end);
    const scale = scaleAfter(chat.after(end, 30));
    const after = chat.after(end + (scale?.length ?? 0), 30);
    if (/[\d/-]$/.test(before.replace(/(?:^|[^a-z])s\/$/, '')) || /^[/-]?\d/.test(after)) continue;
    // The sign between a phone and an amount is the amount's: `5555 7171 Q350`.
    const isPhone = /\d[ .-]$/.test(before) || text.length > 6;
    const isNext = (right: RegExp) => {
      const length = right.exec(after)?.[0].length;
      if (length === undefined) return true;
      return (isPhone ? /^[.:]? ?\d/ : /^[.:]?\d/).test(after.slice(length));
    };
    const sign = SIGNS.find(([left, right]) => left.test(before) || !isNext(right));
    const isSubtotal = SUBTOTAL.test(before);
    const isLeft = REST.test(before);
    const isTendered = TENDERED.test(before);
    const isTotal = !isSubtotal && (TOTAL.test(before) || TOTAL_AFTER.test(after));
    if (sign === undefined && (NO_AMOUNT_BEFORE.test(before) || NO_AMOUNT_AFTER.test(after))) continue;
    const decimals = /[.,]\d{2}$/.test(text);
    const isGrouped = /^\d{1,3}(?:[.,'’‘´` ]\d{3})+$/.test(text);
    const isWord = PRICE.test(before) || decimals || scale !== undefined || isSubtotal;
    const isPrice = isWord && (scale !== undefined || Number(text) >= 10 || /[^\d]/.test(text));
    const isShipping = SHIPPING_BEFORE.test(before) || SHIPPING_AFTER.test(after);
    // Phone numbers stand after the same words.
    if (sign === undefined && /\d[ .-]$/.test(before)) continue;
    const isLong = text.length > (hasNoCents(currency) && isTotal ? 7 : 6) && !(isGrouped && isTotal);
    if (sign === undefined && !decimals && (isLong || /^[ .-]\d/.test(after))) continue;
    const isDeposit = PAID_BEFORE.test(before);
    const strength =
      isShipping || isTendered
        ? 0.5
        : isLeft
          ? 4
          : isDeposit
            ? 1.5
            : isTotal
              ? 3
              : sign
                ? 2
                : isPrice
                  ? 1
                  : isAlone(chat, start, end) || (isGrouped && text.length < 8)
                    ? 0.4
                    : 0;
    if (strength === 0) continue;
    const notes: string[] = [];
    if (QUESTION.test(after) || DOUBT.test(before)) notes.push('El cliente lo preguntó. Confirme el monto.');
    if (EACH.test(after) || SEVERAL.test(before))
      notes.push('Es el precio de cada uno. ¿Cuánto se cobra en total?');
    if (isTendered) notes.push('Es con lo que paga. ¿Cuánto se cobra?');
    if (isSubtotal) notes.push('Es el subtotal. ¿Cuánto se cobra en total?');
    if (isDeposit) notes.push('Habla de un pago ya hecho. ¿Cuánto falta por cobrar?');
    if (isShipping) notes.push('Es el precio del envío. ¿Cuánto se cobra en total?');
    if (sign && !sign[2].includes(currency)) notes.push('Está en otra moneda. Escriba el monto en la suya.');
    // The sign is read with it.
    const from = start - (sign?.[0].exec(before)?.[0].replace(/^[^a-z$₡]/, '').length ?? 0);
    const own = sign && !isNext(sign[1]) ? sign[1].exec(after)![0].length : 0;
    const to = end + (scale?.length ?? 0) + own;
    const rest = chat.after(to, 30);
    const isOpen = GOES_ON.test(rest) || GOES_BEFORE.test(before) || isCut(text, rest);
    const value = isOpen ? undefined : numberOf(text, scale?.factor);
    if (isOpen) notes.unshift('No se entiende el monto. Escríbalo solo con cifras.');
    if (scale?.isSlang) notes.push('Confirme el monto.');
    if (sign === undefined && scale === undefined && /^\d$/.test(text) && COUNTED.test(rest))
      notes.push('¿Es la cantidad o el monto?');
    candidates.push({ start: from, end: to, written: text, value, strength, isShipping, notes });
    read = to;
  }
  return candidates;
}

/** Whether a number is all of its line: an amount, where nothing else is one. */
const isAlone = (chat: ChatText, start: number, end: number) =>
  end - start <= 6 &&
  !/[^ ]/.test(chat.rest.slice(chat.rest.lastIndexOf('\n', start - 1) + 1, start)) &&
  /^ {0,3}(?:\n|$)/.test(chat.rest.slice(end, end + 5));

/** A count of things, not of money: `total 2 blusas`. */
const COUNTED = /^ (?!en |al |de |por |gracias|contra|total|ok|la |el |y )[a-z]{3,}/;

/** Whether three digits follow a small number: `1 200`. */
const isCut = (text: string, rest: string) => /^\d{1,2}$/.test(text) && /^ \d{3}(?!\d)/.test(rest);

const cents = ({ value }: Candidate) => Math.round(100 * (value ?? NaN));

function isSumOf(total: number | undefined, parts: Candidate[]): boolean {
  const sum = parts.reduce((all, part) => all + cents(part), 0);
  return parts.length > 1 && total !== undefined && sum === Math.round(100 * total);
}

/** Whether what is left is a total less what has been paid. */
function isLeftOf(left: number | undefined, parts: Candidate[]): boolean {
  const [one, other] = parts.map(cents);
  const isPair = parts.length === 2 && parts.some(({ strength }) => strength >= 2);
  return isPair && left !== undefined && Math.abs(one! - other!) === Math.round(100 * left);
}

const written = (amount: number) => (Number.isInteger(amount) ? String(amount) : amount.toFixed(2));

/** Signs of thousands and millions after a number, and words of the street for them. */
const SCALES: [scale: RegExp, factor: number, isSlang: boolean][] = [
  [/^ ?(?:mil|miles|k)(?![a-z\d])/, 1_000, false],
  [/^ ?(?:millon|millones|mill)(?![a-z\d])/, 1_000_000, false],
  [/^ ?lucas?(?![a-z\d])/, 1_000, true],
  [/^ ?(?:m|mm|palos?|melones)(?![a-z\d])/, 1_000_000, true],
];

/** Words that multiply a number. */
interface Scale {
  factor: number;
  length: number;
  /** Whether it may be meant in another way. */
  isSlang: boolean;
}

/** The scale that a text begins with: ` mil` of `25 mil`. @param after folded. */
function scaleAfter(after: string): Scale | undefined {
  for (const [scale, factor, isSlang] of SCALES) {
    const length = scale.exec(after)?.[0].length;
    if (length !== undefined) return { factor, length, isSlang };
  }
  return undefined;
}

/** In groups of three digits: `1'200.000`, `1.200.000,50`, `1 200 000`. One group alone may be decimals. */
const GROUPED = /^\d{1,3}(?:[.,'’‘´`\s]\d{3})+(?:[.,]\d{1,2})?$/;

/** An amount has two decimals at most. */
const PLAIN = /^\d+(?:[.,]\d{1,2})?$/;

/** The number of a written amount; three digits after a mark are thousands. Undefined where it is not understood. */
function numberOf(text: string, factor = 1): number | undefined {
  // `1.200 millones` may be either.
  if (factor > 1 && isTwoAmounts(text)) return undefined;
  const isGrouped = GROUPED.test(text) && !/^0/.test(text);
  if (!isGrouped && !PLAIN.test(text)) return undefined;
  const [, whole, decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text)!;
  const value = toNumber(`${whole!.replace(/\D/g, '')}${decimals && `.${decimals}`}`, ',');
  return value === undefined ? undefined : Math.round(100 * value * factor) / 100;
}
