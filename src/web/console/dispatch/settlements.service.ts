import { Injectable } from '@nestjs/common';
import { OperatorsService } from '../../../auth/operators/operators.service.js';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { MerchantsService } from '../../../auth/merchants/merchants.service.js';
import { AjustesService } from '../../../cobros/ajustes.service.js';
import { CobroListService } from '../../../cobros/cobro-list.service.js';
import type { AjusteDto } from '../../../cobros/dto/ajuste.dto.js';
import type { CobroDto } from '../../../cobros/dto/cobro.dto.js';
import { PagarDto, toLiquidacion, type LiquidacionDto } from '../../../cobros/dto/liquidacion.dto.js';
import { LiquidacionesService } from '../../../cobros/liquidaciones.service.js';
import type { GuiaRow } from '../../../guias/guia/guia-row.js';
import { GuiasService } from '../../../guias/guias.service.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { inspect, readInput } from '../../../platform/validation/read-input.js';
import type { PageOf } from '../../../platform/pagination/page.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService, type Done } from '../audit/audit.service.js';

const PAGE = '100';

/** Settlements with their merchants; null of one that is gone. */
export interface Settlements extends PageOf<'liquidaciones', LiquidacionDto> {
  merchantOf: (id: string) => Comercio | undefined;
  /** Undefined: of all merchants. */
  comercio: string | undefined;
  /** Whether there is no such merchant. */
  isUnknown: boolean;
}

export interface Settlement {
  liquidacion: LiquidacionDto;
  merchant: Comercio;
  cobros: PageOf<'cobros', CobroDto>;
  /** By their numbers. */
  guias: ReadonlyMap<string, Pick<GuiaRow, 'destinatario'>>;
  ajustes: PageOf<'ajustes', AjusteDto>;
  /** Whether these are all of them, and no page. */
  hasAllAjustes: boolean;
}

/** Settlements as staff looks at them, and corrects their payments. */
@Injectable()
export class SettlementsService {
  constructor(
    private readonly guias: GuiasService,
    private readonly merchants: MerchantsService,
    private readonly liquidaciones: LiquidacionesService,
    private readonly cobros: CobroListService,
    private readonly ajustes: AjustesService,
    private readonly operators: OperatorsService,
    private readonly audit: AuditService,
  ) {}

  /** Newest first. @throws AppError `cursor_invalido` */
  async list(given: string | undefined, cursor: string | undefined): Promise<Settlements> {
    if (given !== undefined && !(isUuid(given) && (await this.merchants.find(given.toLowerCase()))))
      return {
        ...{ ok: true, liquidaciones: [], siguiente_cursor: null },
        ...{ comercio: given, isUnknown: true, merchantOf: () => undefined },
      };
    const comercio = given?.toLowerCase();
    const operator = await this.operators.console();
    const request = { limit: PAGE, ...(comercio && { comercio }), ...(cursor !== undefined && { cursor }) };
    const [page, merchants] = await Promise.all([
      this.liquidaciones.page(operator, request),
      this.merchants.list(),
    ]);
    const byId = new Map(merchants.map((merchant) => [merchant.id, merchant]));
    return { ...page, comercio, isUnknown: false, merchantOf: (id) => byId.get(id) };
  }

  /**
   * @param cursor of its guides. @param after cursor of its adjustments.
   * @throws AppError `no_encontrado`, `cursor_invalido`
   */
  async find(id: string, cursor?: string, after?: string): Promise<Settlement> {
    const row = await this.liquidaciones.find({ isTest: false }, id);
    const merchant = (await this.merchants.find(row.comercio_id))!;
    const owner = { id: row.comercio_id, currency: row.moneda };
    const filter = { liquidacion: row.id };
    const pageAt = (at?: string) => ({ limit: PAGE, ...(at !== undefined && { cursor: at }) });
    const [cobros, ajustes] = await Promise.all([
      this.cobros.page(owner, filter, pageAt(cursor)),
      this.ajustes.page(owner, filter, pageAt(after)),
    ]);
    const numeros = cobros.cobros.map(({ guia }) => guia);
    const guias = await this.guias.findOwn(owner.id, numeros);
    const hasAllAjustes = after === undefined && ajustes.siguiente_cursor === null;
    return { liquidacion: toLiquidacion(row), merchant, cobros, guias, ajustes, hasAllAjustes };
  }

  /**
   * Replaces the reference of a payment. Both are in the audit before it is done: whatever dies then, neither is lost.
   * @throws AppError `no_encontrado`
   */
  async correctPayment(form: Sent<StaffUser>, id: string): Promise<Done<undefined>> {
    const { comercio_id: comercioId, referencia_pago: seen } = await this.liquidaciones.find(
      { isTest: false },
      id,
    );
    const { referencia_pago: typed } = form.fields;
    const { value, errors } = inspect(PagarDto, { referencia_pago: typed }, {});
    const isRead = errors.length === 0 && seen !== null;
    const detalle = isRead ? `${id}: de «${seen}» a «${value!.referencia_pago}»` : id;
    return this.audit.perform(form, 'corregir_pago', { comercioId, detalle }, async () => {
      const { referencia_pago } = readInput(PagarDto, form.fields, {});
      const operator = await this.operators.console();
      const { before } = await this.liquidaciones.correctPayment(operator, id, referencia_pago, seen);
      return `La referencia era «${before}»; ahora es «${referencia_pago}».`;
    });
  }
}
