import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../auth/merchants/merchant.js';
import type { Owner } from '../../auth/owner.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { Reads } from '../../platform/database/replicas/reads.js';
import { CSV_ROWS, csvChunks } from '../../platform/http/csv-answer.js';
import type { Position } from '../../platform/pagination/cursor.js';
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
  type ListedKey,
  type ListFilter,
} from './guia-list.queries.js';

type Source = Pick<Database, 'query' | 'rows'>;

@Injectable()
export class GuiaListService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly secrets: Secrets,
  ) {}

  /** A merchant's. @throws AppError `cursor_invalido` */
  async list(
    merchant: Merchant,
    filter: ListFilter,
    request: { limit?: string; cursor?: string; zona?: string },
  ): Promise<PageOf<'guias', GuiaRow>> {
    const { estados, from, before, ...named } = filter;
    const used = Object.entries({ ...named, zona: request.zona }).filter(([, value]) => value !== undefined);
    // The first three have no name in a cursor; those added later are named, in the order of `toListFilter`, so that
    // older cursors stay valid.
    const filters = [estados?.toSorted().join(','), from, before, ...used];
    return this.page(request, { owner: merchant, filter, filters }, (source, page) =>
      source.rows(listGuias(merchant.id, filter, page), toGuiaRow),
    );
  }

  /**
   * One page of an owner's guides.
   * @param list `filters` is what a cursor of it is bound to.
   * @throws AppError `cursor_invalido`
   */
  async page<Row extends ListedKey>(
    request: { limit?: string; cursor?: string },
    { owner, filter, filters }: { owner: Owner; filter: ListFilter; filters: readonly unknown[] },
    read: (source: Source, page: Page) => Promise<Row[]>,
  ): Promise<PageOf<'guias', Row>> {
    const order = isByChange(filter) ? 'time' : 'id';
    const page = new Page(request, { comercioId: owner.id, order, filters }, this.secrets.cursorKey);
    return page.of('guias', await read(this.sourceOf(filter), page), positionOfGuia);
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
    const source = this.sourceOf(filter);
    const read = (after?: Position) =>
      source.rows(listGuias(merchant.id, filter, { after, rows: CSV_ROWS }, CSV_LIST), toGuiaCells);
    return csvChunks(read, positionOfCells, toGuiaCsv);
  }

  /** Guides move in the order by change while it is read, so that one server must answer all pages. */
  private sourceOf(filter: ListFilter): Source {
    return isByChange(filter) ? this.database : this.reads;
  }
}
