import { Injectable } from '@nestjs/common';
import type { Merchant } from '../auth/merchants/merchant.js';
import type { Operator } from '../auth/operators/operator.js';
import { Secrets } from '../platform/config/secrets.js';
import { Reads } from '../platform/database/replicas/reads.js';
import { CSV_ROWS, csvChunks } from '../platform/http/csv-answer.js';
import type { CursorScope, Position } from '../platform/pagination/cursor.js';
import { Page, type PageOf } from '../platform/pagination/page.js';
import { toCsv, toCsvOfAll } from './cobro-csv.js';
import {
  isByTime,
  listAllCobros,
  listCobros,
  sumCobros,
  toAnyCobroRow,
  toCobroRow,
  type AnyCobroRow,
  type CobroFilter,
  type CobroRow,
} from './cobro-list.queries.js';
import {
  toCobro,
  toCobroDeOperaciones,
  toResumen,
  type CobroDeOperacionesDto,
  type CobroDto,
  type ListarCobrosDeOperacionesDto,
  type ResumenDto,
  type TotalRow,
} from './dto/cobro.dto.js';
import type { MerchantFilter } from './liquidaciones.queries.js';

/** Lists and sums the amounts of a merchant's guides. */
@Injectable()
export class CobroListService {
  constructor(
    private readonly reads: Reads,
    private readonly secrets: Secrets,
  ) {}

  /** @throws AppError `cursor_invalido` */
  async page(
    { id, currency }: Pick<Merchant, 'id' | 'currency'>,
    filter: CobroFilter,
    request: { limit?: string; cursor?: string; zona?: string },
  ): Promise<PageOf<'cobros', CobroDto>> {
    const page = new Page(request, scopeOf(id, filter, request.zona), this.secrets.cursorKey);
    const rows = await this.rows(id, filter, page);
    return page.of('cobros', rows, toPosition, (row) => toCobro(row, currency));
  }

  /** Amounts of all merchants, or of one. @throws AppError `cursor_invalido` */
  async pageOfAll(
    { id, isTest }: Operator,
    filter: CobroFilter,
    { comercio, ...request }: ListarCobrosDeOperacionesDto,
  ): Promise<PageOf<'cobros', CobroDeOperacionesDto>> {
    const scope = scopeOf(id, filter, request.zona);
    const filters = [...scope.filters, isTest, comercio];
    const page = new Page(request, { ...scope, filters }, this.secrets.cursorKey);
    const rows = await this.rowsOfAll({ isTest, comercio }, filter, page);
    return page.of('cobros', rows, toPosition, toCobroDeOperaciones);
  }

  /** The same as chunks of a CSV file. @param zone of its times; in UTC without one. */
  async csvOfAll(
    { isTest }: Operator,
    filter: CobroFilter,
    comercio?: string,
    zone?: string,
  ): Promise<AsyncIterable<string>> {
    const read = (after?: Position) =>
      this.rowsOfAll({ isTest, comercio }, filter, { after, rows: CSV_ROWS });
    return csvChunks(read, toPosition, (rows, isFirst) => toCsvOfAll(rows, isFirst, zone));
  }

  /** All amounts of a list as chunks of a CSV file. @param zone of its times; in UTC without one. */
  async csv(
    { id, currency }: Pick<Merchant, 'id' | 'currency'>,
    filter: CobroFilter,
    zone?: string,
  ): Promise<AsyncIterable<string>> {
    const read = (after?: Position) => this.rows(id, filter, { after, rows: CSV_ROWS });
    return csvChunks(read, toPosition, (rows, isFirst) => toCsv(rows, currency, isFirst, zone));
  }

  async sum({ id, currency }: Pick<Merchant, 'id' | 'currency'>, filter: CobroFilter): Promise<ResumenDto> {
    const rows = await this.reads.rows(sumCobros(id, filter), (values: TotalRow) => values);
    return toResumen(rows, currency);
  }

  private async rowsOfAll(
    merchants: MerchantFilter,
    filter: CobroFilter,
    range: { after?: Position; rows: number },
  ): Promise<AnyCobroRow[]> {
    const query = listAllCobros(merchants, filter, range);
    return query === undefined ? [] : this.reads.rows(query, toAnyCobroRow);
  }

  private async rows(
    comercioId: string,
    filter: CobroFilter,
    range: { after?: Position; rows: number },
  ): Promise<CobroRow[]> {
    const query = listCobros(comercioId, filter, range);
    return query === undefined ? [] : this.reads.rows(query, toCobroRow);
  }
}

const toPosition = ({ id, cobrado_en }: CobroRow): Position => ({
  id,
  ...(cobrado_en !== null && { ms: Date.parse(cobrado_en) }),
});

function scopeOf(comercioId: string, filter: CobroFilter, zona: string | undefined): CursorScope {
  const { estado, from, until, liquidacion } = filter;
  return {
    comercioId,
    order: isByTime(filter) ? 'time' : 'id',
    filters: ['cobros', estado, from, until, liquidacion, ...(zona === undefined ? [] : [zona])],
  };
}
