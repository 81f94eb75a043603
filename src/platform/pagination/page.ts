import type { Secrets } from '../config/secrets.js';
import { AppError } from '../errors/app-error.js';
import { decodeCursor, encodeCursor, type CursorScope, type Position } from './cursor.js';
import { limitOf } from './page.fields.js';

type CursorKey = Secrets['cursorKey'];

/** The row that a request's cursor names. @throws AppError `cursor_invalido` if it is not ours for this scope. */
export function positionOf(
  { cursor }: { cursor?: string },
  scope: CursorScope,
  key: CursorKey,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const position = decodeCursor(cursor, scope, key);
  if (position === undefined) throw new AppError('cursor_invalido');
  return position;
}

export type PageOf<Name extends string, Row> = Record<Name, Row[]> & { siguiente_cursor: string | null };

/** One page of a list: where it starts, how many rows to query, and the cursor of the next page. */
export class Page {
  /** The last row of the page before; undefined on the first page. */
  readonly after: Position | undefined;
  /** Rows to query: one more than is shown tells whether another page follows. */
  readonly rows: number;

  /** @throws AppError `cursor_invalido` */
  constructor(
    request: { limit?: string; cursor?: string },
    private readonly scope: CursorScope,
    private readonly key: CursorKey,
  ) {
    this.after = positionOf(request, scope, key);
    this.rows = limitOf(request) + 1;
  }

  /**
   * The rows queried, as they are answered under `name`, and the cursor of the next page; null on the last page.
   * @param toShown makes what is shown of a row; without it, rows are shown as they are.
   */
  of<Name extends string, Row, Shown = Row>(
    name: Name,
    queried: Row[],
    positionOfRow: (last: Row) => Position,
    toShown?: (row: Row) => Shown,
  ): PageOf<Name, Shown> {
    const isLast = queried.length < this.rows;
    const rows = isLast ? queried : queried.slice(0, -1);
    return {
      [name]: toShown ? rows.map((row) => toShown(row)) : rows,
      siguiente_cursor: isLast ? null : encodeCursor(positionOfRow(rows.at(-1)!), this.scope, this.key),
    } as PageOf<Name, Shown>;
  }
}
