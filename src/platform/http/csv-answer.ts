import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { createParamDecorator, StreamableFile, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Rows per statement of a CSV file; no connection is held between statements. */
export const CSV_ROWS = 1_000;

/** Lines of a CSV file. With a delimiter of its own the library leaves line breaks in cells without quotes. */
export const CSV_LINES = { record_delimiter: 'windows', quote_record_delimiter: true } as const;

/** Whether the request's `Accept` names `text/csv`, with at least the weight of JSON. */
export const AcceptsCsv = createParamDecorator((_: unknown, context: ExecutionContext) =>
  prefersCsv(context.switchToHttp().getRequest<FastifyRequest>().headers.accept),
);

export function prefersCsv(accept = ''): boolean {
  const csv = weightOf('text/csv', accept);
  return csv > 0 && csv >= weightOf('application/json', accept);
}

/** The weight that `Accept` gives a media type by name, 0 to 1; 0 where it does not name it. */
function weightOf(type: string, accept: string): number {
  const ranges = accept.toLowerCase().split(',');
  const named = ranges.map((range) => range.split(';').map((part) => part.trim()));
  const [, ...parameters] = named.find(([name]) => name === type) ?? ['', 'q=0'];
  return Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
}

/**
 * All rows of a list as chunks of a CSV file. The first chunk is read before this resolves, so that an unavailable database
 * causes an error response instead of a truncated file.
 * @param read reads `CSV_ROWS` rows after a position, or fewer if there are no more.
 */
export async function csvChunks<Row, Position>(
  read: (after?: Position) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
  toText: (rows: Row[], isFirst: boolean) => string,
): Promise<AsyncIterable<string>> {
  const first = await read();
  return (async function* () {
    yield toText(first, true);
    for (let rows = first; rows.length === CSV_ROWS;) {
      rows = await read(positionOf(rows.at(-1)!));
      if (rows.length > 0) yield toText(rows, false);
    }
  })();
}

/** Begins a formula in a spreadsheet, at the start of a cell, or after what some take for the end of one. */
const FORMULA = /^[;\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/;
const END_OF_CELL = /[;\t][ \t;]*/g;
const SIGN = /[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** A text of a file that no spreadsheet runs, whatever it takes for a separator: with apostrophes, which import takes off again. */
export function withoutFormulas(text: string): string {
  const within = text.replace(END_OF_CELL, (end, at: number) =>
    SIGN.test(text.charAt(at + end.length)) ? `${end}'` : end,
  );
  return FORMULA.test(text) ? `'${within}` : within;
}

/**
 * Lines of a CSV file (RFC 4180), with the header if they are the first. A text that a spreadsheet would run as a formula gets
 * an apostrophe in front; a negative number does not, nor does an exact amount, which is an object.
 */
export function csvLines(rows: readonly object[], columns: readonly string[], isFirst: boolean): string {
  return stringify([...rows], {
    columns: [...columns],
    header: isFirst,
    ...CSV_LINES,
    // Exact amounts, as they are written.
    cast: { string: withoutFormulas, object: String },
  });
}

/** Streams a CSV file with backpressure: it is produced at the speed at which the caller reads. @param parts one text, or chunks. */
export function csvFile(name: string, parts: string | AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(parts, { objectMode: false }), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

/** The OpenAPI response of a list that is JSON or CSV. @param example a file. */
export const csvOrJson = (name: string, schema: { $ref: string }, example: string) => ({
  headers: {
    'Content-Disposition': {
      description: 'Nombre del archivo; solo en CSV.',
      schema: { type: 'string' as const },
      example: `attachment; filename="${name}.csv"`,
    },
  },
  content: {
    'application/json': { schema },
    'text/csv': { schema: { type: 'string' as const }, example },
  },
});
