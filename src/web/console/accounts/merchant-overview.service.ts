import { Injectable } from '@nestjs/common';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { MerchantsService } from '../../../auth/merchants/merchants.service.js';
import { toMerchant } from '../../../auth/merchants/to-merchant.js';
import { ApiKeysService, type KeyWithMerchant } from '../../../auth/keys/api-keys.service.js';
import type { AjusteRow } from '../../../cobros/ajustes.queries.js';
import { AjustesService } from '../../../cobros/ajustes.service.js';
import { Database } from '../../../platform/database/database.js';
import { firstIdAt, isUuid } from '../../../platform/database/row-id.js';
import { OPEN_ESTADOS } from '../../../guias/guia/guia-estado.js';
import type { GuiaRow } from '../../../guias/guia/guia-row.js';
import { GuiaListService } from '../../../guias/list/guia-list.service.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { accountOfMerchant } from './endpoint-account.js';
import type { WatchedEndpoint } from './endpoint-box.js';
import { EndpointOverviewService } from './endpoint-overview.service.js';
import { guiasByEstado, type EstadoCount } from './merchant-guias.queries.js';
import type { GuiasVista } from './merchant-lists-page.js';
import { startsOfDays } from '../local-days.js';
import { guiasPerDay } from './merchants.queries.js';
import { pageAt } from './page-at.js';

/** Pending adjustments on a page, and settled ones after them. */
const ADJUSTMENTS = 30;

const DAYS = 30;

export interface DayUsage {
  /** `2026-11-21`. */
  dia: string;
  guias: number;
}

export interface MerchantOverview {
  merchant: Comercio;
  /** Newest first. */
  keys: KeyWithMerchant[];
  /** Oldest first. */
  endpoints: WatchedEndpoint[];
  /** Oldest first, today last. */
  usage: DayUsage[];
  /** In the usual order of the states. */
  estados: EstadoCount[];
  /** A page of the pending ones, the newest first; after the last of them the newest settled ones. */
  ajustes: AjusteRow[];
  /** The last one of the page, where more are pending. */
  masAjustes: string | undefined;
}

@Injectable()
export class MerchantOverviewService {
  constructor(
    private readonly database: Database,
    private readonly merchants: MerchantsService,
    private readonly keys: ApiKeysService,
    private readonly endpoints: EndpointOverviewService,
    private readonly lists: GuiaListService,
    private readonly adjustments: AjustesService,
  ) {}

  /** @param after the last adjustment of the page before. @throws AppError `no_encontrado` */
  async load(id: string, after?: string): Promise<MerchantOverview> {
    const merchant = await this.merchants.findOrFail(id);
    const [keys, endpoints, usage, estados, ajustes] = await Promise.all([
      this.keys.list({ comercio_id: merchant.id }),
      this.endpoints.list(accountOfMerchant(merchant)),
      this.usage(merchant),
      this.database.staff.rows<EstadoCount>(guiasByEstado(merchant.id)),
      this.ajustes(merchant, after),
    ]);
    return { merchant, keys, endpoints, usage, estados, ...ajustes };
  }

  private async ajustes(
    merchant: Comercio,
    after: string | undefined,
  ): Promise<Pick<MerchantOverview, 'ajustes' | 'masAjustes'>> {
    const from = after !== undefined && isUuid(after) ? after : undefined;
    const pending = await this.adjustments.newest(merchant, { estado: 'pendiente' }, ADJUSTMENTS + 1, from);
    if (pending.length > ADJUSTMENTS) {
      const ajustes = pending.slice(0, ADJUSTMENTS);
      return { ajustes, masAjustes: ajustes.at(-1)!.id };
    }
    const settled = await this.adjustments.newest(merchant, { estado: 'liquidado' }, ADJUSTMENTS);
    return { ajustes: [...pending, ...settled], masAjustes: undefined };
  }

  /** A page of a merchant's guides in a state, or of those whose destination is still to be confirmed. @throws AppError `no_encontrado`, `cursor_invalido` */
  async guias(
    id: string,
    vista: GuiasVista,
    cursor: string | undefined,
  ): Promise<{ merchant: Comercio; guias: GuiaRow[]; next: string | null }> {
    const merchant = await this.merchants.findOrFail(id);
    const filter =
      vista === 'sin-confirmar'
        ? { estados: OPEN_ESTADOS, direccion_confirmada: false }
        : { estados: [vista] };
    const { guias, siguiente_cursor } = await this.lists.list(toMerchant(merchant), filter, pageAt(cursor));
    return { merchant, guias, next: siguiente_cursor };
  }

  private async usage({ id, pais }: Comercio): Promise<DayUsage[]> {
    const starts = startsOfDays(Date.now(), DAYS, timeZoneOf(pais));
    const days = starts
      .slice(0, -1)
      .map(({ dia, ms }, i) => ({ dia, desde: firstIdAt(ms), hasta: firstIdAt(starts[i + 1]!.ms) }));
    return this.database.staff.rows<DayUsage>(guiasPerDay(id, days));
  }
}
