import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { Database } from '../../platform/database/database.js';
import {
  DispatcherService,
  type EventoJob,
  type PendingEvento,
} from '../../platform/events/dispatcher.service.js';
import { isFarOutside } from '../../locations/plausibility.js';
import { resolveMapLink } from '../../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../../locations/short-links/short-link.client.js';
import { RetryLater } from '../../platform/queues/job-errors.js';
import { findWaitingRequest, type WaitingRow } from '../changes/guia-confirmations.queries.js';
import { GuiaChangesService } from '../changes/guia-changes.service.js';
import { decideLink, type AskedLink, type LinkOutcome } from './link-decision.js';
import {
  findEnlaces,
  findSetLinks,
  finishEnlace,
  loadEnlace,
  recordEnlaces,
  retryEnlace,
  type EnlaceRow,
  type SetLinkRow,
} from './link-expansion.queries.js';
import { ENLACES, linkJob, type EnlaceOfRound, type QueueableEnlace } from './links.queue.js';

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
    private readonly changes: GuiaChangesService,
    private readonly links: ShortLinkClient,
  ) {}

  onModuleInit(): void {
    this.dispatcher.subscribe(['guia.creada', 'guia.actualizada'], (eventos) => this.record(eventos));
  }

  /** Records the links that the events have set and that are still to be read. */
  private async record(eventos: PendingEvento[]): Promise<EventoJob[]> {
    const { rows: links } = await this.database.query<SetLinkRow>(findSetLinks(eventos));
    if (links.length === 0) return [];
    await this.database.query(recordEnlaces(links));
    const { rows } = await this.database.query<QueueableEnlace>(findEnlaces(links));
    const idOf = new Map(eventos.map(({ guia_id, id }) => [guia_id, id]));
    return rows.map((row) => ({ eventoId: idOf.get(row.guia_id)!, queue: ENLACES, job: linkJob(row) }));
  }

  /**
   * Reads a link, if it is still pending; idempotent.
   * @returns the outcome in Spanish, for the board.
   * @throws RetryLater while the map service does not answer, for a day.
   */
  async expand(enlace: EnlaceOfRound): Promise<string> {
    const { rows } = await this.database.query<EnlaceRow>(loadEnlace(enlace));
    const row = rows[0];
    if (row?.ronda !== enlace.ronda) return 'No había enlace por leer, o lo lee otra tarea.';
    const { comercioId, lugar } = enlace;
    if (!row.enlaces_pendientes.includes(lugar)) {
      await this.database.query(finishEnlace(enlace));
      return 'El lugar ya no espera un enlace.';
    }
    const asked = { lugar, enlace: row[`${lugar}_maps_url`]! };
    const link = await resolveMapLink(asked.enlace, comercioId, this.links);
    if (link.kind === 'silent' && row.edad_ms <= GIVE_UP_MS) return this.retry(enlace, asked, row);
    const outcome =
      link.kind === 'coordinates'
        ? { kind: link.kind, lat: link.lat, lng: link.lng, isFar: isFarOutside(row.pais, link) }
        : link;
    return this.finish(enlace, asked, outcome);
  }

  /** Writes the outcome, and deletes the link's row with it. */
  private async finish(enlace: EnlaceOfRound, asked: AskedLink, outcome: LinkOutcome): Promise<string> {
    await this.change(enlace, asked, outcome, finishEnlace(enlace));
    return 'El enlace quedó resuelto.';
  }

  private async retry(enlace: EnlaceOfRound, asked: AskedLink, row: EnlaceRow): Promise<never> {
    const { intentos, edad_ms } = row;
    const delayMs = DELAYS_S[Math.min(intentos, DELAYS_S.length - 1)]! * 1_000;
    const isYoung = edad_ms < ASK_AFTER_MS;
    const inMs = isYoung ? Math.min(delayMs, ASK_AFTER_MS - edad_ms) : delayMs;
    if (isYoung) await this.database.query(retryEnlace(enlace, inMs));
    else await this.change(enlace, asked, { kind: 'delayed' }, retryEnlace(enlace, inMs));
    throw new RetryLater('El servicio de mapas no responde; se vuelve a preguntar.', inMs);
  }

  /** Changes the guide by an outcome, and the link's row in the same transaction. */
  private async change(
    { comercioId, guiaId }: EnlaceOfRound,
    asked: AskedLink,
    outcome: LinkOutcome,
    row: QueryConfig,
  ): Promise<void> {
    await this.changes.lock(guiaId, { comercioId }, async (guia, tx) => {
      const { rows } = await tx.query<WaitingRow>(findWaitingRequest(guia));
      const change = decideLink(guia, asked, outcome, rows[0]!.en_cola);
      if (change) await tx.write(change);
      await tx.query(row);
    });
  }
}
