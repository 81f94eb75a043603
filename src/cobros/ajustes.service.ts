import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import type { Merchant } from '../auth/merchants/merchant.js';
import type { Operator } from '../auth/operators/operator.js';
import { Secrets } from '../platform/config/secrets.js';
import { Database } from '../platform/database/database.js';
import { Reads } from '../platform/database/replicas/reads.js';
import { isUuid } from '../platform/database/row-id.js';
import { AppError } from '../platform/errors/app-error.js';
import { lookupColumnOf, noSuchGuia } from '../guias/guia/guia-lookup.js';
import { CSV_ROWS, csvChunks, csvLines } from '../platform/http/csv-answer.js';
import { differingNames } from '../platform/http/repeat.interceptor.js';
import { Page, type PageOf } from '../platform/pagination/page.js';
import { localIso } from '../platform/validation/time-zone.js';
import { Ajuste } from './ajuste.entity.js';
import { listAjustes, type AjusteFilter, type AjusteRow } from './ajustes.queries.js';
import { toAjuste, type AjusteDto, type CrearAjusteDto } from './dto/ajuste.dto.js';
import { toMonto } from './exact-amounts.js';
import { lockForSettling, type MerchantFilter } from './liquidaciones.queries.js';

/** An adjustment that was made now, or before by the same request. */
export interface AjusteHecho {
  ajuste: AjusteDto;
  isDuplicate: boolean;
  /** Fields of a repeat that differ from the record. */
  differing: string[];
}

interface PageRequest {
  limit?: string;
  cursor?: string;
  zona?: string;
}

/** A merchant's internal id, or the merchants that an operator asks for. */
type Whose = { comercioId: string } | MerchantFilter;

const COLUMNS = ['id', 'guia', 'moneda', 'monto', 'motivo', 'creado_en', 'liquidacion'];

/** Adjustments of merchants' payments, made by hand. */
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
    const key = await this.database.managed(dto.comercio.toLowerCase(), async (manager) => {
      const { id: comercio_id, moneda } = await lockMerchant(manager, dto.comercio, operator);
      const made =
        ref === undefined
          ? null
          : await manager.findOneBy(Ajuste, { operador_id: operator.id, comercio_id, ref });
      if (made) return { comercio_id, id: made.id, isDuplicate: true };
      const id = v7();
      await manager.insert(Ajuste, {
        ...{ id, comercio_id, moneda, operador_id: operator.id, ref: ref ?? null, motivo: dto.motivo },
        monto: String(dto.monto),
        guia_id: dto.guia === undefined ? null : await findGuiaId(manager, comercio_id, dto.guia),
        creado_en: () => 'clock_timestamp()',
      });
      return { comercio_id, id, isDuplicate: false };
    });
    const query = listAjustes({ comercioId: key.comercio_id }, { id: key.id }, { rows: 1 });
    const { rows } = await this.database.query<AjusteRow>(query);
    // Somebody has removed it since.
    if (!rows[0]) throw noSuchAjuste();
    const differing = key.isDuplicate ? differingFrom(rows[0], dto) : [];
    return { ajuste: toAjuste(rows[0]), isDuplicate: key.isDuplicate, differing };
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

  /** A merchant's, newest first. @throws AppError `cursor_invalido` */
  page(
    { id }: Pick<Merchant, 'id'>,
    filter: AjusteFilter,
    request: PageRequest,
  ): Promise<PageOf<'ajustes', AjusteDto>> {
    return this.pageOf(id, { comercioId: id }, filter, request);
  }

  /** All merchants', or one's. @throws AppError `cursor_invalido` */
  pageOfAll(
    { id, isTest }: Operator,
    filter: AjusteFilter,
    { comercio, ...request }: PageRequest & { comercio?: string },
  ): Promise<PageOf<'ajustes', AjusteDto>> {
    return this.pageOf(id, { isTest, comercio }, filter, request);
  }

  /** All adjustments of a list as chunks of a CSV file. @param zone of their times; in UTC without one. */
  csv({ id }: Pick<Merchant, 'id'>, filter: AjusteFilter, zone?: string): Promise<AsyncIterable<string>> {
    return this.csvOf({ comercioId: id }, filter, COLUMNS, zone);
  }

  /** The same of all merchants, or of one, with the merchant of each. */
  csvOfAll(
    { isTest }: Operator,
    filter: AjusteFilter,
    comercio?: string,
    zone?: string,
  ): Promise<AsyncIterable<string>> {
    return this.csvOf({ isTest, comercio }, filter, [...COLUMNS, 'comercio', 'comercio_nombre'], zone);
  }

  private async pageOf(
    comercioId: string,
    whose: Whose,
    filter: AjusteFilter,
    { zona, ...request }: PageRequest,
  ): Promise<PageOf<'ajustes', AjusteDto>> {
    const filters = ['ajustes', whose, filter, zona];
    const page = new Page(request, { comercioId, order: 'id', filters }, this.secrets.cursorKey);
    const { rows } = await this.reads.query<AjusteRow>(listAjustes(whose, filter, page));
    return page.of('ajustes', rows, ({ id }) => ({ id }), toAjuste);
  }

  private csvOf(
    whose: Whose,
    filter: AjusteFilter,
    columns: string[],
    zone: string | undefined,
  ): Promise<AsyncIterable<string>> {
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
