import { EXPORTED } from '../../../guias/list/guia-csv.js';
import { COLUMNS, GUIA } from '../../../guias/lote/csv-header.js';
import type { CsvTable } from '../../../guias/lote/csv-rows.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import { decidesCharge } from './order-charge.js';
import {
  headingKey,
  HEADINGS,
  isNumber,
  kindOf,
  NAMED,
  namedByWord,
  partOf,
  PARTS,
  SHOPIFY,
  type Kind,
  type Named,
} from './headings.js';

/** Heading of the reasons in a file of refused rows; it is not read. */
export const REASON = 'motivo';

/** Columns of a file: Shopify's export has 80. */
const MAX_COLUMNAS = 150;

/** Fields that a column can be, in the order in which they are offered. */
export const FIELDS: readonly string[] = [
  ...Object.keys(HEADINGS),
  ...PARTS.nombre,
  ...PARTS.direccion,
  ...COLUMNS.filter((one) => one.includes('.')),
];

/**
 * The field of each column, by its number from 0; empty for a column that is not read.
 * @param remembered by heading, what the merchant chose before.
 * @param judged by number, what the cells of a column with two meanings say.
 */
export function guessColumns(header: readonly string[], remembered: Texts = {}, judged: Texts = {}): Texts {
  const kind = kindOf(header);
  const taken = new Set<string>();
  const columns = header.map(() => '');
  const guesses = header.map((heading, i) => {
    const guess = guessOf(headingKey(heading), remembered, kind);
    return {
      i,
      ...guess,
      // A column that the merchant leaves out stays out.
      ...(judged[i] !== undefined &&
        (guess.rank >= 0 || guess.campo !== '') && { campo: judged[i], rank: Math.min(guess.rank, 50) }),
    };
  });
  const unread: readonly string[] = header.some((one) => headingKey(one) === GUIA) ? EXPORTED : [];
  // Of two columns for a field the better one is read.
  for (const { i, campo, rank } of guesses.toSorted(
    (one, other) => one.rank - other.rank || one.i - other.i,
  )) {
    if (unread.includes(header[i]!.trim().toLowerCase())) continue;
    if (campo === '' || taken.has(campo) || rank === Infinity) continue;
    taken.add(campo);
    columns[i] = campo;
  }
  addParts(header, columns, (i) => guesses[i]!.rank < 0);
  return Object.fromEntries(columns.map((campo, i) => [String(i), campo]));
}

/** Gives each column that continues a name or an address its part, in the order of the file. */
function addParts(header: readonly string[], columns: string[], isChosen: (i: number) => boolean): void {
  for (const [campo, parts] of Object.entries(PARTS)) {
    const free = parts.filter((part) => !columns.includes(part));
    for (const [i, heading] of header.entries()) {
      if (columns[i] !== '' || isChosen(i)) continue;
      const isPart =
        partOf(headingKey(heading), header.map(headingKey)) === campo ||
        // `Número` is a house's right after its street.
        (campo === 'direccion' && isNumber(headingKey(heading)) && columns[i - 1] === 'direccion');
      if (isPart) columns[i] = free.shift() ?? '';
    }
  }
}

/** Rows above the headings: a title, who exported the file, and when. */
export const MAX_TITLE_ROWS = 10;

/** Fields, the phone among them, of a row that can only be that of the headings. */
const MIN_NAMED = 2;

/** Where the row of the headings certainly is, from 0: the first one with the most; -1 if no row is sure to be that. */
export function headerAt(rows: readonly string[][], remembered: Texts): number {
  const counts = rows.slice(0, MAX_TITLE_ROWS + 1).map((cells) => {
    const named = new Set(Object.values(guessColumns(cells.slice(0, MAX_COLUMNAS), remembered)));
    named.delete('');
    return named.has('telefono') ? named.size : 0;
  });
  const most = Math.max(...counts);
  return most < MIN_NAMED ? -1 : counts.indexOf(most);
}

const UNREAD: Named = { campo: '', rank: Infinity };

/** How the choice for a heading of a known export is remembered: it is of no other file. */
export const memoryKey = (key: string, kind: Kind | undefined): string => (kind ? `${kind}:${key}` : key);

function guessOf(key: string, remembered: Texts, kind: Kind | undefined): Named {
  const guess = proposalOf(key, kind);
  const known = memoryKey(key, kind);
  const memory = Object.hasOwn(remembered, known) || guess.rank !== Infinity ? known : key;
  if (!Object.hasOwn(remembered, memory)) return guess;
  const campo = remembered[memory]!;
  // What was left as it was proposed is no choice against a better column.
  return campo === guess.campo ? guess : { campo, rank: -1 };
}

function proposalOf(key: string, kind: Kind | undefined): Named {
  if (kind === 'shopify') return SHOPIFY.get(key) ?? UNREAD;
  if (key === GUIA) return { campo: GUIA, rank: 0 };
  const own = COLUMNS.find((column) => column === key || column === key.replaceAll(' ', '_'));
  if (own !== undefined && kind === undefined) return { campo: own, rank: 0 };
  const known = NAMED.get(key) ?? NAMED.get(key.replace(/\.$/, ''));
  if (known !== undefined || own !== undefined) return known ?? { campo: own!, rank: 0 };
  return (
    (kind === undefined && !decidesCharge(key) && partOf(key, []) === undefined
      ? namedByWord(key)
      : undefined) ?? UNREAD
  );
}

export const isShopifyExport = (header: readonly string[]): boolean => kindOf(header) === 'shopify';

type Row = CsvTable['rows'][number];

/** Financial states of an order whose customer has paid, or was paid back. */
const PAID = /^(?:paid|(?:partially_)?refunded)$/i;

/**
 * One row for each order of Shopify's export, which has a row for each article, with the order's own columns on the first
 * alone. The contents are all articles; of an order that is paid nothing is to be collected. Cancelled orders have none.
 */
export function groupOrders(header: readonly string[], rows: readonly Row[]): Row[] {
  const at = (key: string) => header.findIndex((heading) => headingKey(heading) === key);
  const [name, article, count] = [at('name'), at('lineitem name'), at('lineitem quantity')];
  const [status, total, due] = [at('financial status'), at('total'), at('outstanding balance')];
  const cancelled = at('cancelled at');
  const orders = new Map<string, { first: Row; articles: string[] }>();
  for (const row of rows) {
    const cell = (i: number) => row.cells[i]?.trim() ?? '';
    const key = cell(name) || `linea ${row.linea}`;
    const order = orders.get(key) ?? { first: { ...row, cells: [...row.cells] }, articles: [] };
    orders.set(key, order);
    for (const [i, text] of row.cells.entries())
      if (!order.first.cells[i]?.trim()) order.first.cells[i] = text;
    const quantity = cell(count);
    if (cell(article) !== '')
      order.articles.push(
        quantity === '' || quantity === '1' ? cell(article) : `${quantity} × ${cell(article)}`,
      );
  }
  return [...orders.values()].flatMap(({ first, articles }) => {
    const { cells } = first;
    if (cells[cancelled]?.trim()) return [];
    if (articles.length > 0) cells[article] = articles.join(', ').slice(0, 500);
    if (total >= 0 && PAID.test(cells[status]?.trim() ?? '')) cells[total] = '0';
    if (total >= 0 && due >= 0 && !cells[due]?.trim()) cells[due] = cells[total]!;
    return [first];
  });
}

/**
 * Where nobody is named who receives, who pays receives: the cells of billing, in those of shipping. An address is taken as a
 * whole, never half of each.
 */
export function fillShipping(header: readonly string[], rows: readonly Row[]): void {
  const keys = header.map(headingKey);
  const pairs = keys.flatMap((key, to) => {
    const [, what] = /^shipping (.+)$/.exec(key) ?? [];
    const from = what === undefined ? -1 : keys.indexOf(`billing ${what}`);
    return from < 0 ? [] : [{ what: what!, from, to }];
  });
  const groups = [/name/, /phone/, /address|street|city|state|province|zip|postcode|country/].map(
    (group) => ({
      pairs: pairs.filter(({ what }) => group.test(what)),
      // The country alone is written though the address is not.
      tells: pairs.filter(({ what }) => group.test(what) && !/country|state|province/.test(what)),
    }),
  );
  for (const { cells } of rows)
    for (const group of groups)
      if (group.tells.every(({ to }) => !cells[to]?.trim()))
        for (const { from, to } of group.pairs) if (cells[from]?.trim()) cells[to] = cells[from];
}
