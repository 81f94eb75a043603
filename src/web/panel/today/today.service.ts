import { Injectable } from '@nestjs/common';
import type { QueryConfig, QueryResultRow } from 'pg';
import { Database } from '../../../platform/database/database.js';
import { Reads } from '../../../platform/database/replicas/reads.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { parseInstant } from '../../../platform/validation/instant.js';
import type { Form } from '../../../platform/http/form-texts.js';
import { markSeen } from '../../../guias/advertencias-vistas.queries.js';
import { OPEN_ESTADOS, type GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { GuiasService } from '../../../guias/guias.service.js';
import {
  attempted,
  markCauseSeen,
  ownerCauses,
  unconfirmed,
  type AttemptedRow,
  type NeedRow,
} from '../../../guias/today/owner-causes.queries.js';
import { LocationRequestsService } from '../../../notifications/requests/location-requests.service.js';
import { countsOfDay, countsOfStates, hasNone } from '../guias/panel-guias.queries.js';
import { startOfToday } from '../guias/panel-guias.service.js';
import { pendingMoney, type PendingRow } from '../../../cobros/pending-money.queries.js';
import type { Visit } from '../visit.js';

/** Guides with a failed attempt that the page shows. */
export const SHOWN = 10;

/** Guides that are asked for their place at once. */
export const MAX_ASKED = 50;

/** The first page: how the day goes, and what needs somebody. */
export type Today = Awaited<ReturnType<TodayService['load']>>;

/** Reads the first page of the panel, and asks several recipients at once. */
@Injectable()
export class TodayService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly guias: GuiasService,
    private readonly requests: LocationRequestsService,
  ) {}

  async load(visit: Visit) {
    const { id } = visit.merchant;
    const [counts, causes, failed, asked, money, none, open] = await Promise.all([
      this.rows<{ estado: GuiaEstado; guias: number }>(countsOfDay(id, startOfToday(visit))),
      ownerCauses(this.reads, id),
      this.rows<AttemptedRow>(attempted(id, SHOWN)),
      this.rows<NeedRow>(unconfirmed(id, MAX_ASKED)),
      this.rows<PendingRow>(pendingMoney(id)),
      this.rows<{ es_nuevo: boolean }>(hasNone(id)),
      this.rows<{ estado: GuiaEstado; guias: number }>(countsOfStates(id, OPEN_ESTADOS)),
    ]);
    return {
      counts: new Map(counts.map(({ estado, guias }) => [estado, guias])),
      /** The most urgent first. */
      causes,
      attempted: failed,
      unconfirmed: asked,
      /** Sum of the next settlement. */
      pending: money[0]!,
      /** `MAX_COUNTED` + 1 at most. */
      toPickUp: open.find(({ estado }) => estado === 'aceptado')!.guias,
      open: open.reduce((sum, { guias }) => sum + guias, 0),
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
   * Takes a warning of a guide out of the page until it comes back; without a guide, of all that the page counted.
   * @param hasta when the last of these had changed.
   * @throws AppError `no_encontrado` where the guide is not the merchant's
   */
  async see({ merchant }: Visit, { guia = '', codigo = '', hasta = '' }: Form): Promise<void> {
    const until = parseInstant(hasta, 'until');
    if (guia === '' && until !== undefined) {
      await this.database.query(markCauseSeen(merchant.id, codigo, new Date(until)));
      return;
    }
    if (!(await this.guias.findOwn(merchant.id, [guia])).has(guia)) throw new AppError('no_encontrado');
    await this.database.query(markSeen(merchant.id, guia, 'comercio', codigo));
  }

  private async rows<Row extends QueryResultRow>(query: QueryConfig): Promise<Row[]> {
    return (await this.reads.query<Row>(query)).rows;
  }
}
