import { Injectable } from '@nestjs/common';
import type { QueryConfig, QueryResultRow } from 'pg';
import { Database } from '../../../platform/database/database.js';
import { Reads } from '../../../platform/database/replicas/reads.js';
import { firstIdAt } from '../../../platform/database/row-id.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { markSeen } from '../../../guias/advertencias-vistas.queries.js';
import type { GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { GuiasService } from '../../../guias/guias.service.js';
import { LocationRequestsService } from '../../../notifications/requests/location-requests.service.js';
import { countsOfDay, countsOfStates } from '../guias/panel-guias.queries.js';
import { startOfToday } from '../guias/panel-guias.service.js';
import { pendingMoney, type PendingRow } from '../../../cobros/pending-money.queries.js';
import type { Visit } from '../visit.js';
import {
  attempted,
  hasNone,
  MAX_ASKED,
  unconfirmed,
  warned,
  type AttemptedRow,
  type NeedRow,
  type WarnedRow,
} from './today.queries.js';

const DAY_MS = 86_400_000;

/** Days that are searched for guides that need somebody. */
const LOOK_BACK_DAYS = 30;

/** Of guides that warn: a warning stands for 30 days, and may come up long after its guide was created. */
const WARNED_LOOK_BACK_DAYS = 60;

/** The first page: how the day goes, and what needs somebody. */
export interface Today {
  counts: ReadonlyMap<GuiaEstado, number>;
  attempted: AttemptedRow[];
  warned: WarnedRow[];
  unconfirmed: NeedRow[];
  /** What the next settlement would take. */
  pending: PendingRow;
  /** Guides that wait to be picked up, `MAX_COUNTED` + 1 at most. */
  toPickUp: number;
  /** Whether the merchant has no guide at all. */
  isNew: boolean;
}

/** Reads the first page of the panel, and asks several recipients at once. */
@Injectable()
export class TodayService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly guias: GuiasService,
    private readonly requests: LocationRequestsService,
  ) {}

  async load(visit: Visit): Promise<Today> {
    const { id } = visit.merchant;
    const since = firstIdAt(Date.now() - LOOK_BACK_DAYS * DAY_MS);
    const yesterday = firstIdAt(Date.now() - DAY_MS);
    const [counts, failed, warnings, asked, money, none, waiting] = await Promise.all([
      this.rows<{ estado: GuiaEstado; guias: number }>(countsOfDay(id, startOfToday(visit))),
      this.rows<AttemptedRow>(attempted(id, since)),
      this.rows<WarnedRow>(warned(id, firstIdAt(Date.now() - WARNED_LOOK_BACK_DAYS * DAY_MS))),
      this.rows<NeedRow>(unconfirmed(id, since, yesterday)),
      this.rows<PendingRow>(pendingMoney(id)),
      this.rows<{ es_nuevo: boolean }>(hasNone(id)),
      this.rows<{ guias: number }>(countsOfStates(id, ['aceptado'])),
    ]);
    return {
      counts: new Map(counts.map(({ estado, guias }) => [estado, guias])),
      attempted: failed,
      warned: warnings,
      unconfirmed: asked,
      pending: money[0]!,
      toPickUp: waiting[0]!.guias,
      isNew: none[0]!.es_nuevo,
    };
  }

  /**
   * Asks the recipients of some guides for their place; each stands alone.
   * @throws AppError `no_encontrado`, before any is asked, where one is not the merchant's
   */
  async ask({ merchant }: Visit, guias: string[]): Promise<{ asked: number; refused: number }> {
    let refused = 0;
    const chosen = [...new Set(guias)].slice(0, MAX_ASKED);
    const own = await this.guias.findOwn(merchant.id, chosen);
    if (own.size < chosen.length)
      throw new AppError('no_encontrado', { detail: 'Una de las guías no existe. Vuelva a elegirlas.' });
    for (const guia of chosen) {
      try {
        await this.requests.ask(guia, { comercioId: merchant.id }, { actor: 'comercio' });
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        refused++;
      }
    }
    return { asked: chosen.length - refused, refused };
  }

  /**
   * Takes a warning of a guide out of the page, until it comes back.
   * @throws AppError `no_encontrado` where the guide is not the merchant's
   */
  async see({ merchant }: Visit, guia = '', codigo = ''): Promise<void> {
    if (!(await this.guias.findOwn(merchant.id, [guia])).has(guia)) throw new AppError('no_encontrado');
    await this.database.query(markSeen(merchant.id, guia, 'comercio', codigo));
  }

  private async rows<Row extends QueryResultRow>(query: QueryConfig): Promise<Row[]> {
    return (await this.reads.query<Row>(query)).rows;
  }
}
