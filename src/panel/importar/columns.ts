import { EXPORTED } from '../../guias/list/guia-csv.js';
import { COLUMNS, GUIA } from '../../guias/lote/csv-header.js';
import type { CsvTable } from '../../guias/lote/csv-rows.js';
import { foldName } from '../../validation/text.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';

/** Heading of the reasons in a file of refused rows; it is not read. */
export const REASON = 'motivo';

/** Columns of a file: Shopify's export has 80. */
export const MAX_COLUMNAS = 150;

/** By field: how files of shops head it, folded, the best one first. */
const HEADINGS: Record<string, string> = {
  external_ref:
    'pedido,orden,numero de pedido,numero de orden,no. pedido,no. orden,# pedido,# orden,num pedido,id pedido,referencia de pedido,order,order number,order id,folio',
  nombre:
    'cliente,destinatario,nombre del cliente,nombre cliente,nombre completo,nombre del destinatario,recibe,shipping name,customer,nombre y apellido,contacto,name,billing name',
  telefono:
    'telefono,celular,whatsapp,tel,cel,movil,numero de telefono,telefono del cliente,telefono cliente,phone,shipping phone,billing phone',
  direccion:
    'direccion,direccion de entrega,direccion completa,domicilio,shipping street,shipping address1,address,calle',
  municipio: 'municipio,ciudad,muni,shipping city,city,canton,alcaldia',
  departamento: 'departamento,depto,dpto,estado,provincia,shipping province name,shipping province,state',
  referencia: 'referencia,punto de referencia,referencias,senas,shipping address2',
  cod_amount:
    'total a cobrar,monto a cobrar,por cobrar,cobrar,cobro,total,monto,valor,importe,outstanding balance,total a pagar,cod',
  contenido: 'contenido,producto,productos,articulo,articulos,descripcion,lineitem name',
  notas: 'notas,nota,observaciones,comentarios,notes',
  maps_url: 'ubicacion,enlace de mapa,link de ubicacion,enlace,mapa,link,google maps,maps',
  lat: 'latitud',
  lng: 'longitud',
};

/** A field that a heading names, and how well: 1 is best. */
interface Named {
  campo: string;
  rank: number;
}

const namedBy = (headings: Record<string, string>): ReadonlyMap<string, Named> =>
  new Map(
    Object.entries(headings).flatMap(([campo, names]) =>
      names.split(',').map((name, rank) => [name, { campo, rank: rank + 1 }] as const),
    ),
  );

const NAMED = namedBy(HEADINGS);

/** Fields that a column can be, in the order in which they are offered. */
export const FIELDS: readonly string[] = [
  ...Object.keys(HEADINGS),
  ...COLUMNS.filter((one) => one.includes('.')),
];

/** How the fields are called, where their name says too little. */
const NAMES: Record<string, string> = {
  '': 'No importar',
  guia: 'Número de guía',
  external_ref: 'Pedido',
  telefono: 'Teléfono',
  direccion: 'Dirección',
  cod_amount: 'Por cobrar',
  maps_url: 'Enlace de mapa',
  lat: 'Latitud',
  lng: 'Longitud',
  'recogida.lat': 'Recogida: latitud',
  'recogida.lng': 'Recogida: longitud',
  'recogida.maps_url': 'Recogida: enlace',
  'recogida.nombre': 'Recogida: nombre',
  'recogida.direccion': 'Recogida: dirección',
};

/** How people call a field. */
export const nameOf = (campo: string): string =>
  NAMES[campo] ?? campo.charAt(0).toUpperCase() + campo.slice(1);

/** How a heading is compared: without case, accents and the blanks and marks that people write. */
export const headingKey = (heading: string): string =>
  foldName(heading.slice(0, 100))
    .replace(/[\s_]{1,100}/g, ' ')
    .replace(/[:*]/g, '')
    .trim();

/**
 * The field of each column, by its number from 0; empty for a column that is not read.
 * @param remembered by heading, what the merchant chose before.
 */
export function guessColumns(header: readonly string[], remembered: Texts = {}): Texts {
  const isShopify = isShopifyExport(header);
  const taken = new Set<string>();
  const columns = header.map(() => '');
  const guesses = header.map((heading, i) => ({ i, ...guessOf(headingKey(heading), remembered, isShopify) }));
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
  return Object.fromEntries(columns.map((campo, i) => [String(i), campo]));
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

function guessOf(key: string, remembered: Texts, isShopify: boolean): Named {
  if (Object.hasOwn(remembered, key)) return { campo: remembered[key]!, rank: -1 };
  if (isShopify) return SHOPIFY.get(key) ?? UNREAD;
  if (key === GUIA) return { campo: GUIA, rank: 0 };
  const own = COLUMNS.find((column) => column === key || column === key.replaceAll(' ', '_'));
  if (own !== undefined) return { campo: own, rank: 0 };
  return NAMED.get(key) ?? UNREAD;
}

/** Shopify's export names the order by `Name`, and each person as who ships and who is billed. */
const SHOPIFY = namedBy({
  external_ref: 'name',
  nombre: 'shipping name,billing name',
  telefono: 'shipping phone,phone,billing phone',
  direccion: 'shipping street,shipping address1',
  referencia: 'shipping address2',
  municipio: 'shipping city,billing city',
  departamento: 'shipping province name,shipping province,billing province name',
  cod_amount: 'outstanding balance,total',
  contenido: 'lineitem name',
  notas: 'notes',
});

export function isShopifyExport(header: readonly string[]): boolean {
  const keys = new Set(header.map(headingKey));
  return keys.has('name') && keys.has('lineitem name');
}

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
