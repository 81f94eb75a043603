import { stringify } from 'csv-stringify/sync';
import { toIso } from '../../platform/database/text-types.js';
import { CSV_LINES, withoutFormulas } from '../../platform/http/csv-answer.js';
import type { Position } from '../../platform/pagination/cursor.js';
import { CAMPOS, COLUMN_OF, NUMBERS } from '../guia/guia-fields.js';
import type { GuiaDetalleRow } from '../guia/guia-row.js';

type Column = keyof GuiaDetalleRow;

/** Columns that an import knows beside `guia`, and does not read. */
export const EXPORTED = ['id', 'estado', 'direccion_confirmada', 'creada_en', 'actualizada_en'] as const;

/** The columns of a file: the guide's own, and then those of an import under its names. */
const COLUMNS: [header: string, column: Column][] = [
  ['guia', 'guia'],
  ...EXPORTED.map((name): [string, Column] => [name, name]),
  ...CAMPOS.map((campo): [string, Column] => [campo, COLUMN_OF[campo]]),
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
const PLAIN = new Set(['telefono', ...NUMBERS].map(indexOf));

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

const EXAMPLE: Partial<Record<Column, string>> = {
  ...{ guia: '483920175567', id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', estado: 'aceptado' },
  ...{ creada_en: '2026-11-21T15:04:05.123Z', actualizada_en: '2026-11-21T15:04:05.123Z' },
  ...{ telefono: '+50255551234', departamento: 'Guatemala', municipio: 'Mixco', destinatario: 'Ana López' },
  ...{ recogida_lat: '14.6349', recogida_lng: '-90.5069', recogida_nombre: 'Bodega central' },
  ...{ direccion: '4a calle 5-10, zona 1', contenido: 'Zapatos, talla 38', cod_amount: '349.50' },
  ...{ external_ref: 'pedido-1042', destino_lat: '14.6407', destino_lng: '-90.5133' },
  direccion_confirmada: 'true',
};

/** A file with one guide. */
export const GUIAS_CSV = toGuiaCsv([COLUMNS.map(([, column]) => EXAMPLE[column] ?? null)], true);
