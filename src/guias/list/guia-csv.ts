import { stringify } from 'csv-stringify/sync';
import { toIso } from '../../platform/database/text-types.js';
import { CSV_LINES, withoutFormulas } from '../../platform/http/csv-answer.js';
import type { Position } from '../../platform/pagination/cursor.js';
import type { GuiaDetalleRow } from '../guia/guia-row.js';

type Column = keyof GuiaDetalleRow;

/** Columns that an import knows beside `guia`, and does not read. */
export const EXPORTED = ['id', 'estado', 'direccion_confirmada', 'creada_en', 'actualizada_en'] as const;

/** The columns of a file: the guide's own, and then those of an import under its names. */
const COLUMNS: [header: string, column: Column][] = [
  ['guia', 'guia'],
  ...EXPORTED.map((name): [string, Column] => [name, name]),
  ['telefono', 'telefono'],
  ['departamento', 'departamento'],
  ['municipio', 'municipio'],
  ['recogida.lat', 'recogida_lat'],
  ['recogida.lng', 'recogida_lng'],
  ['recogida.maps_url', 'recogida_maps_url'],
  ['recogida.nombre', 'recogida_nombre'],
  ['recogida.direccion', 'recogida_direccion'],
  ['nombre', 'destinatario'],
  ['direccion', 'direccion'],
  ['referencia', 'referencia'],
  ['contenido', 'contenido'],
  ['notas', 'notas'],
  ['cod_amount', 'cod_amount'],
  ['external_ref', 'external_ref'],
  ['lat', 'destino_lat'],
  ['lng', 'destino_lng'],
  ['maps_url', 'destino_maps_url'],
];

export const CSV_LIST = { name: 'guia-csv', columns: COLUMNS.map(([, column]) => column).join(', ') };

/** A guide as the texts of its cells; null where a cell is empty. */
export type GuiaCells = readonly (string | null)[];

const indexOf = (header: string) => COLUMNS.findIndex(([name]) => name === header);
const TIMES = [indexOf('creada_en'), indexOf('actualizada_en')];
const CONFIRMED = indexOf('direccion_confirmada');
const [ID, CHANGED] = [indexOf('id'), indexOf('actualizada_en')];

/** From the texts that PostgreSQL sends. */
export function toGuiaCells(values: GuiaCells): GuiaCells {
  return values.map((value, i) => {
    if (value === null) return null;
    if (i === CONFIRMED) return String(value === 't');
    return TIMES.includes(i) ? toIso(value) : value;
  });
}

/** Where the page after this guide begins. */
export const positionOfCells = (cells: GuiaCells): Position => ({
  id: cells[ID]!,
  ms: Date.parse(cells[CHANGED]!),
});

/** Cells that are numbers or phones: an apostrophe in front would make texts of them. */
const PLAIN = new Set(
  ['telefono', 'recogida.lat', 'recogida.lng', 'cod_amount', 'lat', 'lng'].map((header) => indexOf(header)),
);

/** Lines of a CSV file (RFC 4180), with the header if they are the first. A formula gets an apostrophe in front. */
export function toGuiaCsv(rows: GuiaCells[], isFirst: boolean): string {
  return stringify(rows, {
    columns: COLUMNS.map(([header]) => header),
    header: isFirst,
    ...CSV_LINES,
    cast: {
      string: (text, { index, header }) => (!header && !PLAIN.has(index) ? withoutFormulas(text) : text),
    },
  });
}

/** A file with one guide, as an example. */
export const GUIAS_CSV = toGuiaCsv(
  [
    [
      ...['483920175567', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', 'aceptado', 'true'],
      ...['2026-11-21T15:04:05.123Z', '2026-11-21T15:04:05.123Z', '+50255551234', 'Guatemala', 'Mixco'],
      ...['14.6349', '-90.5069', null, 'Bodega central', null, 'Ana López', '4a calle 5-10, zona 1', null],
      ...['Zapatos, talla 38', null, '349.50', 'pedido-1042', '14.6407', '-90.5133', null],
    ],
  ],
  true,
);
