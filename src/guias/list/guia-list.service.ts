import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { Reads } from '../../platform/database/replicas/reads.js';
import { CSV_ROWS, csvChunks } from '../../platform/http/csv-answer.js';
import type { CursorScope, Position } from '../../platform/pagination/cursor.js';
import { Page, type PageOf } from '../../platform/pagination/page.js';
import type { GuiaRow } from '../guia/guia-row.js';
import { CSV_LIST, positionOfCells, toGuiaCells, toGuiaCsv } from './guia-csv.js';
import {
  countGuias,
  guiasAmong,
  isByChange,
  listGuias,
  positionOfGuia,
  toGuiaRow,
  type ListFilter,
} from './guia-list.queries.js';

@Injectable()
export class GuiaListService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly secrets: Secrets,
  ) {}

  /** @throws AppError `cursor_invalido` */
  async list(
    merchant: Merchant,
    filter: ListFilter,
    request: { limit?: string; cursor?: string; zona?: string },
  ): Promise<PageOf<'guias', GuiaRow>> {
    const page = new Page(request, scopeOf(merchant.id, filter, request.zona), this.secrets.cursorKey);
    // Guides move in the order by change while it is read, so that one server must answer all pages.
    const source = isByChange(filter) ? this.database : this.reads;
    const guias = await source.rows(listGuias(merchant.id, filter, page), toGuiaRow);
    return page.of('guias', guias, positionOfGuia);
  }

  /** How many guides a list has, `max` at most. */
  async count(merchant: Merchant, filter: ListFilter, max: number): Promise<number> {
    const { rows } = await this.reads.query<{ guias: number }>(countGuias(merchant.id, filter, max));
    return rows[0]!.guias;
  }

  /** The given guides that a list has, in the order of `ids`. */
  async among(merchant: Merchant, ids: string[], filter: ListFilter): Promise<GuiaRow[]> {
    const guias = await this.reads.rows(guiasAmong(merchant.id, ids, filter), toGuiaRow);
    return guias.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  }

  async csv(merchant: Merchant, filter: ListFilter): Promise<AsyncIterable<string>> {
    const source = isByChange(filter) ? this.database : this.reads;
    const read = (after?: Position) =>
      source.rows(listGuias(merchant.id, filter, { after, rows: CSV_ROWS }, CSV_LIST), toGuiaCells);
    return csvChunks(read, positionOfCells, toGuiaCsv);
  }
}

/**
 * The first three filters have no name in a cursor; those added later are named, in the order of `toListFilter`, so that older
 * cursors stay valid.
 */
function scopeOf(
  comercioId: string,
  { estados, from, before, ...named }: ListFilter,
  zona: string | undefined,
): CursorScope {
  const used = Object.entries({ ...named, zona }).filter(([, value]) => value !== undefined);
  return {
    comercioId,
    order: isByChange(named) ? 'time' : 'id',
    filters: [estados?.toSorted().join(','), from, before, ...used],
  };
}
