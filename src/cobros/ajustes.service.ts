import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import type { Merchant } from '../auth/merchants/merchant.js';
import type { Operator } from '../auth/operators/operator.js';
import { isMerchant } from '../auth/owner.js';
import { Secrets } from '../platform/config/secrets.js';
import { madeOnce } from '../platform/database/once.js';
import { Database } from '../platform/database/database.js';
import { Reads } from '../platform/database/replicas/reads.js';
import { isUuid } from '../platform/database/row-id.js';
import { AppError } from '../platform/errors/app-error.js';
import { lookupColumnOf, noSuchGuia } from '../guias/guia/guia-lookup.js';
import { CSV_ROWS, csvChunks, csvLines } from '../platform/http/csv-answer.js';
import { differingNames, type Made } from '../platform/http/repeat.interceptor.js';
import { Page, type PageOf } from '../platform/pagination/page.js';
import { localIso } from '../platform/validation/time-zone.js';
import { Ajuste } from './ajuste.entity.js';
import { listAjustes, type AjusteFilter, type AjusteRow } from './ajustes.queries.js';
import { toAjuste, type AjusteDto, type CrearAjusteDto } from './dto/ajuste.dto.js';
import { toMonto } from './exact-amounts.js';
import { lockForSettling } from './liquidaciones.queries.js';
import { whoseOf, type MerchantFilter, type MoneyOwner } from './whose.js';

export type AjusteHecho = Made<{ ajuste: AjusteDto }>;

interface PageRequest {
  limit?: string;
  cursor?: string;
  zona?: string;
  /** The one merchant that an operator asks for. */
  comercio?: string;
}

const COLUMNS = ['id', 'guia', 'moneda', 'monto', 'motivo', 'creado_en', 'liquidacion'];

@Injectable()
export class AjustesService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly secrets: Secrets,
    @InjectRepository(Ajuste) private readonly ajustes: Repository<Ajuste>,
  ) {}

  /**
   * Makes an adjustment for a merchant's next settlement, or finds the one that this `ref` made.
   * @throws AppError `no_encontrado` for an unknown merchant, and a guide that is not theirs.
   */
  async create(operator: Operator, dto: CrearAjusteDto): Promise<AjusteHecho> {
    const { ref } = dto;
    const made = await this.database.managed(dto.comercio.toLowerCase(), async (manager) => {
      const { id: comercio_id, moneda } = await lockMerchant(manager, dto.comercio, operator);
      const key = { operador_id: operator.id, comercio_id };
      const { row, isDuplicate } = await madeOnce<Pick<Ajuste, 'id'>>(
        ref,
        (given) => manager.findOneBy(Ajuste, { ...key, ref: given }),
        async () => {
          const id = v7();
          await manager.insert(Ajuste, {
            ...{ ...key, id, moneda, ref: ref ?? null, motivo: dto.motivo, monto: String(dto.monto) },
            guia_id: dto.guia === undefined ? null : await findGuiaId(manager, comercio_id, dto.guia),
            creado_en: () => 'clock_timestamp()',
          });
          return { id };
        },
      );
      return { comercio_id, id: row.id, isDuplicate };
    });
    const { rows } = await this.database.query<AjusteRow>(
      listAjustes({ comercioId: made.comercio_id }, { id: made.id }, { rows: 1 }),
    );
    // Somebody has removed it since.
    if (!rows[0]) throw noSuchAjuste();
    const differing = made.isDuplicate ? differingFrom(rows[0], dto) : [];
    return { ajuste: toAjuste(rows[0]), isDuplicate: made.isDuplicate, differing };
  }

  /**
   * Removes a pending adjustment. Beside a settlement one of the two wins: both change the same row.
   * @param comercio whose it is; absent: of any merchant.
   * @throws AppError `no_encontrado`, `ajuste_liquidado`, `ajuste_automatico`
   */
  async remove({ isTest }: Pick<Operator, 'isTest'>, id: string, comercio?: string): Promise<AjusteRow> {
    const found = await this.find({ isTest, comercio }, id);
    if (found.automatico) throw new AppError('ajuste_automatico');
    const { affected } = await this.ajustes.delete({ id, liquidacion_id: IsNull() });
    if (affected === 1) return found;
    await this.find({ isTest, comercio }, id);
    throw new AppError('ajuste_liquidado');
  }

  /** The newest of a merchant, as staff reads them. @param after the last id of those before. */
  async newest(
    { id }: Pick<Merchant, 'id'>,
    filter: AjusteFilter,
    rows: number,
    after?: string,
  ): Promise<AjusteRow[]> {
    const page = { rows, ...(after !== undefined && { after: { id: after } }) };
    return (await this.reads.query<AjusteRow>(listAjustes({ comercioId: id }, filter, page))).rows;
  }

  /** Newest first; of an operator all merchants', or one's. @throws AppError `cursor_invalido` */
  async page(
    owner: MoneyOwner,
    filter: AjusteFilter,
    { comercio, zona, ...request }: PageRequest,
  ): Promise<PageOf<'ajustes', AjusteDto>> {
    const whose = whoseOf(owner, comercio);
    const filters = ['ajustes', whose, filter, zona];
    const page = new Page(request, { comercioId: owner.id, order: 'id', filters }, this.secrets.cursorKey);
    const { rows } = await this.reads.query<AjusteRow>(listAjustes(whose, filter, page));
    return page.of('ajustes', rows, ({ id }) => ({ id }), toAjuste);
  }

  /**
   * All adjustments of a list as chunks of a CSV file; of an operator with the merchant of each.
   * @param zone of their times; in UTC without one.
   */
  csv(
    owner: MoneyOwner,
    filter: AjusteFilter,
    zone?: string,
    comercio?: string,
  ): Promise<AsyncIterable<string>> {
    const whose = whoseOf(owner, comercio);
    const columns = isMerchant(owner) ? COLUMNS : [...COLUMNS, 'comercio', 'comercio_nombre'];
    const read = async (after?: { id: string }) =>
      (await this.reads.query<AjusteRow>(listAjustes(whose, filter, { after, rows: CSV_ROWS }))).rows;
    const toLine = (row: AjusteRow) => ({
      ...row,
      monto: toMonto(row.monto),
      creado_en: zone === undefined ? row.creado_en.toISOString() : localIso(row.creado_en.getTime(), zone),
    });
    return csvChunks(
      read,
      ({ id }) => ({ id }),
      (rows, isFirst) => csvLines(rows.map(toLine), columns, isFirst),
    );
  }

  private async find(merchants: MerchantFilter, id: string): Promise<AjusteRow> {
    if (!isUuid(id)) throw noSuchAjuste();
    const { rows } = await this.database.query<AjusteRow>(listAjustes(merchants, { id }, { rows: 1 }));
    if (!rows[0]) throw noSuchAjuste();
    return rows[0];
  }
}

/** Locks a merchant, or its test twin, until the end of the transaction, as a settlement does. */
async function lockMerchant(
  manager: EntityManager,
  id: string,
  operator: Operator,
): Promise<{ id: string; moneda: string }> {
  const { text, values } = lockForSettling(id, operator);
  const [comercio]: { id: string; moneda: string }[] = await manager.query(text, values);
  if (!comercio) throw new AppError('no_encontrado', { detail: 'No existe un comercio con ese `id`.' });
  return comercio;
}

/** The id of a merchant's guide. @param guia its id or number. */
async function findGuiaId(manager: EntityManager, comercioId: string, guia: string): Promise<string> {
  const column = lookupColumnOf(guia);
  const found: { id: string }[] = await manager.query(
    `select id from guias where comercio_id = $1 and ${column} = $2`,
    [comercioId, guia],
  );
  if (!found[0]) throw noSuchGuia();
  return found[0].id;
}

function differingFrom(row: AjusteRow, { monto, motivo, guia }: CrearAjusteDto): string[] {
  return differingNames({
    monto: monto !== Number(row.monto),
    motivo: motivo !== row.motivo,
    guia: guia === undefined ? row.guia_id !== null : guia !== row.guia && guia.toLowerCase() !== row.guia_id,
  });
}

function noSuchAjuste(): AppError {
  return new AppError('no_encontrado', { detail: 'No existe un ajuste con ese `id`.' });
}
