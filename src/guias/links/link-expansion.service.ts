import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { Database } from '../../database/database.js';
import { DispatcherService, type EventoJob, type PendingEvento } from '../../events/dispatcher.service.js';
import { RelayService } from '../../events/relay.service.js';
import { isFarOutside } from '../../locations/plausibility.js';
import { resolveMapLink, type ResolvedLink } from '../../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../../locations/short-links/short-link.client.js';
import { RetryLater } from '../../queues/job-errors.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import type { GuiaKey } from '../guia-key.js';
import {
  askMeanwhile,
  failLink,
  findEnlaceJobs,
  findPendingLinks,
  saveDestinationPlace,
  saveLinkPoint,
  type AskedLink,
  type PendingRow,
} from './link-expansion.queries.js';
import { ENLACES, expandJob, type PendingEnlace } from './links.queue.js';

/** Seconds before each retry; the last delay repeats until `GIVE_UP_MS`. */
const DELAYS_S = [30, 30, 120, 600, 3_600, 14_400];

/** ms since the link was set; then a link whose map service does not answer is given up. */
const GIVE_UP_MS = 24 * 60 * 60 * 1_000;

/** ms since the link was set; then the recipient is asked, while the destination's link is still retried. */
const ASK_AFTER_MS = 60_000;

/** Expands the map links whose service did not answer while the guide was created or changed. */
@Injectable()
export class LinkExpansionService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: DispatcherService,
    private readonly relay: RelayService,
    private readonly links: ShortLinkClient,
  ) {}

  onModuleInit(): void {
    this.dispatcher.subscribe(['guia.creada', 'guia.actualizada'], (eventos) => this.jobsOf(eventos));
  }

  private async jobsOf(eventos: PendingEvento[]): Promise<EventoJob[]> {
    const { rows } = await this.database.query<PendingEnlace>(
      findEnlaceJobs(eventos.map((evento) => evento.guia_id)),
    );
    const idOf = new Map(eventos.map(({ guia_id, id }) => [guia_id, id]));
    return rows.map((row) => ({ eventoId: idOf.get(row.guiaId)!, queue: ENLACES, job: expandJob(row) }));
  }

  /**
   * Expands the links of a guide; idempotent.
   * @param tries attempts made so far.
   * @throws RetryLater while a map service does not answer, for a day.
   */
  async expand(guia: GuiaKey, tries: number): Promise<string> {
    const { rows } = await this.database.query<PendingRow>(findPendingLinks(guia));
    const row = rows[0];
    if (!row || row.enlaces_pendientes.length === 0) return 'No había enlaces por leer.';
    let silentMs: number | undefined;
    for (const lugar of row.enlaces_pendientes) {
      const asked: AskedLink = { ...guia, lugar, enlace: row[`${lugar}_maps_url`]! };
      const link = await resolveMapLink(asked.enlace, guia.comercioId, this.links);
      const age = Date.now() - (lugar === 'destino' ? row.destino_desde : row.creada_en).getTime();
      if (link.kind !== 'silent') await this.settle(asked, row.pais, link);
      else if (age > GIVE_UP_MS) await this.change(failLink(asked, 'silent'));
      else {
        silentMs = Math.min(age, silentMs ?? age);
        if (lugar === 'destino' && age >= ASK_AFTER_MS) await this.change(askMeanwhile(asked));
      }
    }
    if (silentMs === undefined) return 'Los enlaces quedaron resueltos.';
    const delayMs = DELAYS_S[Math.min(tries, DELAYS_S.length - 1)]! * 1_000;
    const inMs = silentMs < ASK_AFTER_MS ? Math.min(delayMs, ASK_AFTER_MS - silentMs) : delayMs;
    throw new RetryLater('El servicio de mapas no responde; se vuelve a preguntar.', inMs);
  }

  private async settle(asked: AskedLink, pais: string, link: ResolvedLink): Promise<void> {
    const { lugar } = asked;
    if (link.kind === 'coordinates') {
      const { lat, lng } = link;
      const advertencias: GuiaAdvertencia[] = isFarOutside(pais, link) ? [`${lugar}_fuera_del_pais`] : [];
      await this.change(saveLinkPoint(asked, { lat, lng, advertencias }));
    } else if (link.kind === 'place' && lugar === 'destino') {
      await this.change(saveDestinationPlace(asked));
    } else {
      await this.change(failLink(asked, link.kind));
    }
  }

  /** Runs a statement that records an event. */
  private async change(query: QueryConfig): Promise<void> {
    await this.database.query(query);
    this.relay.wake();
  }
}
