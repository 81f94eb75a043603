import { Injectable } from '@nestjs/common';
import type { Operator } from '../../auth/operators/operator.js';
import { Secrets } from '../../platform/config/secrets.js';
import { madeOnce } from '../../platform/database/once.js';
import { Database } from '../../platform/database/database.js';
import { isUuid } from '../../platform/database/row-id.js';
import { AppError } from '../../platform/errors/app-error.js';
import { lockPiloto } from '../../guias/changes/guia-caja.queries.js';
import { differingNames, type Made } from '../../platform/http/repeat.interceptor.js';
import { Page, type PageOf } from '../../platform/pagination/page.js';
import { noSuchPiloto, PilotosService } from '../pilotos.service.js';
import {
  toEntrega,
  toLlevado,
  type CajaDto,
  type EntregaDeCajaDto,
  type EntregarCajaDto,
  type ListarEntregasDeCajaDto,
} from './caja.dto.js';
import {
  findCarried,
  findEntregaByRef,
  handOver,
  listEntregas,
  type EntregaRow,
  type LlevadoRow,
} from './caja.queries.js';
import { toSaldo } from './saldo.dto.js';
import { SaldoService } from './saldo.service.js';

const CHANGED =
  'Lo que lleva cambió mientras se contaba. Cuente otra vez, y compare con lo que debe ser ahora.';
const NEGATIVE = 'El piloto lleva efectivo: lo que se contó no puede ser negativo.';

export type CajaEntregada = Made<{ entrega: EntregaDeCajaDto }>;

@Injectable()
export class CajaService {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly pilotos: PilotosService,
    private readonly saldo: SaldoService,
  ) {}

  /** @throws AppError `no_encontrado` */
  async show({ isTest }: Operator, pilotoId: string): Promise<CajaDto> {
    const { id, nombre } = await this.pilotos.find(pilotoId);
    const { rows } = await this.database.query<LlevadoRow>(findCarried({ pilotoId: id, isTest }));
    const saldo = toSaldo(await this.saldo.of(id, isTest));
    return { ok: true, piloto: { id, nombre }, caja: toLlevado(rows), saldo };
  }

  /**
   * Hands over all that a driver carries of one currency, whatever was counted.
   * @param seen what the driver carried when it was counted; absent: not known.
   * @throws AppError `no_encontrado`, `nada_por_entregar`; `validacion` for less than nothing where the driver carries cash,
   *   and where they carry another amount than was seen.
   */
  async handOver(
    operator: Operator,
    pilotoId: string,
    dto: EntregarCajaDto,
    seen?: string,
  ): Promise<CajaEntregada> {
    if (!isUuid(pilotoId)) throw noSuchPiloto();
    const key = { pilotoId, isTest: operator.isTest };
    return this.database.transaction(pilotoId.toLowerCase(), async (run) => {
      const { rowCount } = await run(lockPiloto(pilotoId));
      if (rowCount === 0) throw noSuchPiloto();
      const { row, isDuplicate } = await madeOnce<EntregaRow>(
        dto.ref,
        async (ref) => (await run<EntregaRow>(findEntregaByRef(key, operator.id, ref))).rows[0],
        async () => {
          const { rows } = await run<EntregaRow & { lleva: boolean }>(handOver(key, dto, operator));
          if (!rows[0]?.lleva) throw new AppError('nada_por_entregar');
          if (seen !== undefined && Number(seen) !== Number(rows[0].esperado)) throw otherAmount(CHANGED);
          if (dto.monto < 0 && Number(rows[0].esperado) >= 0) throw otherAmount(NEGATIVE);
          return rows[0];
        },
      );
      return { entrega: toEntrega(row), isDuplicate, differing: isDuplicate ? differing(dto, row) : [] };
    });
  }

  /** Newest first. @throws AppError `no_encontrado`, `cursor_invalido` */
  async list(
    { id: operadorId, isTest }: Operator,
    piloto: string,
    dto: ListarEntregasDeCajaDto,
  ): Promise<PageOf<'entregas', EntregaDeCajaDto>> {
    const { id: pilotoId } = await this.pilotos.find(piloto);
    const scope = { comercioId: operadorId, order: 'id' as const, filters: ['entregas', pilotoId, isTest] };
    const page = new Page(dto, scope, this.secrets.cursorKey);
    const { rows } = await this.database.query<EntregaRow>(listEntregas({ pilotoId, isTest }, page));
    return page.of('entregas', rows, ({ id }) => ({ id }), toEntrega);
  }
}

const otherAmount = (mensaje: string) =>
  AppError.validation([{ campo: 'monto', codigo: 'fuera_de_rango', mensaje }]);

function differing({ moneda, monto, nota }: EntregarCajaDto, kept: EntregaRow): string[] {
  return differingNames({
    moneda: moneda !== kept.moneda,
    monto: monto !== Number(kept.monto),
    nota: nota !== undefined && nota !== kept.nota,
  });
}
