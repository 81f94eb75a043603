import { Injectable } from '@nestjs/common';
import type { Merchant } from '../auth/merchants/merchant.js';
import { isMerchant } from '../auth/owner.js';
import { Secrets } from '../platform/config/secrets.js';
import { Reads } from '../platform/database/replicas/reads.js';
import { CSV_ROWS, csvChunks } from '../platform/http/csv-answer.js';
import type { CursorScope, Position } from '../platform/pagination/cursor.js';
import { Page, type PageOf } from '../platform/pagination/page.js';
import { toCsv } from './cobro-csv.js';
import {
  isByTime,
  listCobros,
  sumCobros,
  toCobroRow,
  type CobroFilter,
  type CobroRow,
} from './cobro-list.queries.js';
import {
  toCobro,
  toResumen,
  type CobroDto,
  type ListarCobrosDeOperacionesDto,
  type ResumenDto,
  type TotalRow,
} from './dto/cobro.dto.js';
import { whoseOf, type MoneyOwner, type Whose } from './whose.js';

@Injectable()
export class CobroListService {
  constructor(
    private readonly reads: Reads,
    private readonly secrets: Secrets,
  ) {}

  /** A merchant's, or for an operator those of all merchants, or of one. @throws AppError `cursor_invalido` */
  async page(
    owner: MoneyOwner,
    filter: CobroFilter,
    { comercio, ...request }: ListarCobrosDeOperacionesDto,
  ): Promise<PageOf<'cobros', CobroDto>> {
    const page = new Page(request, scopeOf(owner, filter, request.zona, comercio), this.secrets.cursorKey);
    const rows = await this.rows(whoseOf(owner, comercio), filter, page);
    return page.of('cobros', rows, toPosition, (row) => toCobro(row, currencyOf(owner)));
  }

  /** All amounts of a list as chunks of a CSV file. @param zone of its times; in UTC without one. */
  async csv(
    owner: MoneyOwner,
    filter: CobroFilter,
    zone?: string,
    comercio?: string,
  ): Promise<AsyncIterable<string>> {
    const options = { moneda: currencyOf(owner), zone };
    const read = (after?: Position) => this.rows(whoseOf(owner, comercio), filter, { after, rows: CSV_ROWS });
    return csvChunks(read, toPosition, (rows, isFirst) => toCsv(rows, isFirst, options));
  }

  async sum({ id, currency }: Pick<Merchant, 'id' | 'currency'>, filter: CobroFilter): Promise<ResumenDto> {
    const rows = await this.reads.rows(sumCobros(id, filter), (values: TotalRow) => values);
    return toResumen(rows, currency);
  }

  private async rows(
    whose: Whose,
    filter: CobroFilter,
    range: { after?: Position; rows: number },
  ): Promise<CobroRow[]> {
    const query = listCobros(whose, filter, range);
    return query === undefined ? [] : this.reads.rows(query, toCobroRow);
  }
}

const currencyOf = (owner: MoneyOwner) => (isMerchant(owner) ? owner.currency : undefined);

const toPosition = ({ id, cobrado_en }: CobroRow): Position => ({
  id,
  ...(cobrado_en !== null && { ms: Date.parse(cobrado_en) }),
});

function scopeOf(
  owner: MoneyOwner,
  filter: CobroFilter,
  zona: string | undefined,
  comercio: string | undefined,
): CursorScope {
  const { estado, from, until, liquidacion } = filter;
  const filters = ['cobros', estado, from, until, liquidacion, ...(zona === undefined ? [] : [zona])];
  return {
    comercioId: owner.id,
    order: isByTime(filter) ? 'time' : 'id',
    filters: isMerchant(owner) ? filters : [...filters, owner.isTest, comercio],
  };
}
