import { Injectable, type OnModuleInit } from '@nestjs/common';
import { v7 } from 'uuid';
import { arrayLiteral } from '../../database/array-literal.js';
import { Database } from '../../database/database.js';
import { LOWEST_ID } from '../../database/row-id.js';
import { recordEvento } from '../../events/record-evento.js';
import { RelayService, type PendingEvento } from '../../events/relay.service.js';
import { resolveMapLink, type ResolvedLink } from '../../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../../locations/short-links/short-link.client.js';
import { isFarOutside } from '../../locations/plausibility.js';
import { RetryLater } from '../../queues/queue-definition.js';
import { QueuesService } from '../../queues/queues.service.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import { OPEN_ESTADOS } from '../guia-estado.js';
import type { GuiaKey } from '../changes/guia-changes.service.js';
import { TOUCH, touch } from '../changes/guia-version.js';
import type { Lugar } from '../guias.queries.js';
import { ENLACES, expandJob, type EnlaceJob } from './links.queue.js';

/** Seconds before each further try; the last one goes on until the day is over. */
const DELAYS_S = [30, 120, 600, 3_600, 14_400];

/** Milliseconds after which a map service that stays silent is given up. */
const GIVE_UP_MS = 24 * 60 * 60 * 1_000;

interface PendingRow {
  guia: string;
  pais: string;
  creada_en: Date;
  enlaces_pendientes: Lugar[];
  recogida_maps_url: string | null;
  destino_maps_url: string | null;
}

/** By the index of the few guides whose links wait: most of those asked about are not in it. */
const FIND_JOBS = `select comercio_id as "comercioId", id as "guiaId", guia from guias
  where id = any ($1) and enlaces_pendientes <> '{}'`;

const FIND_OVERDUE = `select comercio_id as "comercioId", id as "guiaId", guia from guias
  where enlaces_pendientes <> '{}' and creada_en < now() - interval '1 minute' and id > $1 order by id limit $2`;

const LOAD = `select g.guia, c.pais, g.creada_en, g.enlaces_pendientes, g.recogida_maps_url, g.destino_maps_url
  from guias g join comercios c on c.id = g.comercio_id where g.comercio_id = $1 and g.id = $2`;

const found = (lugar: Lugar) => `with leida as (
  update guias set ${lugar}_lat = $3, ${lugar}_lng = $4, advertencias = advertencias || $5::text[],
    enlaces_pendientes = array_remove(enlaces_pendientes, '${lugar}'), ${TOUCH}
  where comercio_id = $1 and id = $2 and '${lugar}' = any (enlaces_pendientes)
  returning comercio_id, id, version
)
${recordEvento({ from: 'leida', id: '$6::uuid', tipo: 'guia.enlace_leido', actor: 'sistema', datos: `'{"lugar":"${lugar}"}'::jsonb` })}`;

const FOUND = { recogida: found('recogida'), destino: found('destino') };

const FAILED_PICKUP = `with fallida as (
  update guias set advertencias = array_append(advertencias, 'recogida_sin_coordenadas'),
    enlaces_pendientes = array_remove(enlaces_pendientes, 'recogida'), ${TOUCH}
  where comercio_id = $1 and id = $2 and 'recogida' = any (enlaces_pendientes)
  returning comercio_id, id, version
)
${recordEvento({ from: 'fallida', id: '$3::uuid', tipo: 'guia.enlace_fallido', actor: 'sistema', datos: '$4::jsonb' })}`;

/** A destination that turned out to be none is unconfirmed, and its recipient is asked. */
const FAILED_DESTINATION = `with fallida as (
  update guias set advertencias = array_append(advertencias, 'destino_sin_coordenadas'), direccion_confirmada = false,
    enlaces_pendientes = array_remove(enlaces_pendientes, 'destino'), ${touch(2)}
  where comercio_id = $1 and id = $2 and 'destino' = any (enlaces_pendientes)
  returning comercio_id, id, estado, version
), historia as (
  ${recordEvento({ from: 'fallida', id: '$3::uuid', tipo: 'guia.enlace_fallido', actor: 'sistema', datos: '$4::jsonb', secuencia: 'version - 1' })}
)
${recordEvento({
  from: 'fallida',
  id: '$5::uuid',
  tipo: 'guia.confirmacion_pedida',
  actor: 'sistema',
  where: `estado in (${OPEN_ESTADOS.map((estado) => `'${estado}'`).join(', ')})`,
})}`;

/** A destination that is a place without coordinates stays confirmed, as it would have been at once. */
const NAMED = `update guias set enlaces_pendientes = array_remove(enlaces_pendientes, 'destino'), ${TOUCH}
  where comercio_id = $1 and id = $2 and 'destino' = any (enlaces_pendientes)`;

/** Goes on asking about map links whose service was silent while the guide was made. */
@Injectable()
export class LinkExpansionService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly relay: RelayService,
    private readonly queues: QueuesService,
    private readonly links: ShortLinkClient,
  ) {}

  onModuleInit(): void {
    this.relay.subscribe(['guia.creada'], (eventos) => this.enqueue(eventos));
  }

  private async enqueue(eventos: PendingEvento[]): Promise<void> {
    const { rows } = await this.database.query<EnlaceJob>({
      name: 'enlaces-jobs',
      text: FIND_JOBS,
      values: [arrayLiteral(eventos.map((evento) => evento.guia_id))],
    });
    await this.queues.add(ENLACES, rows.map(expandJob));
  }

  /** Guides whose links should have been asked about by now, after `last`. */
  async overdue(last: EnlaceJob | undefined, limit: number): Promise<EnlaceJob[]> {
    const { rows } = await this.database.query<EnlaceJob>({
      name: 'enlaces-overdue',
      text: FIND_OVERDUE,
      values: [last?.guiaId ?? LOWEST_ID, limit],
    });
    return rows;
  }

  /**
   * Asks about the links of a guide; may be called any number of times.
   * @param tries made so far.
   * @throws RetryLater while a service is silent, for a day.
   */
  async expand(guia: GuiaKey, tries: number): Promise<string> {
    const { rows } = await this.database.query<PendingRow>({
      name: 'enlaces-load',
      text: LOAD,
      values: [guia.comercioId, guia.guiaId],
    });
    const row = rows[0];
    if (!row || row.enlaces_pendientes.length === 0) return 'No había enlaces por leer.';
    let isSilent = false;
    for (const lugar of row.enlaces_pendientes) {
      const link = await resolveMapLink(row[`${lugar}_maps_url`]!, guia.comercioId, this.links);
      if (link.kind !== 'silent') await this.settle(guia, lugar, row.pais, link);
      else if (Date.now() - row.creada_en.getTime() > GIVE_UP_MS) await this.fail(guia, lugar, 'silent');
      else isSilent = true;
    }
    if (!isSilent) return 'Los enlaces quedaron resueltos.';
    const delay = DELAYS_S[Math.min(tries, DELAYS_S.length - 1)]!;
    throw new RetryLater('El servicio de mapas no responde; se vuelve a preguntar.', delay * 1_000);
  }

  private async settle(guia: GuiaKey, lugar: Lugar, pais: string, link: ResolvedLink): Promise<void> {
    const key = [guia.comercioId, guia.guiaId];
    if (link.kind === 'coordinates') {
      const { lat, lng } = link;
      const warnings: GuiaAdvertencia[] = isFarOutside(pais, link) ? [`${lugar}_fuera_del_pais`] : [];
      await this.database.query({ text: FOUND[lugar], values: [...key, lat, lng, warnings, v7()] });
    } else if (link.kind === 'place' && lugar === 'destino') {
      await this.database.query({ text: NAMED, values: key });
    } else {
      await this.fail(guia, lugar, link.kind);
    }
  }

  private async fail(guia: GuiaKey, lugar: Lugar, motivo: string): Promise<void> {
    const values = [guia.comercioId, guia.guiaId, v7(), { lugar, motivo }];
    if (lugar === 'recogida') await this.database.query({ text: FAILED_PICKUP, values });
    else await this.database.query({ text: FAILED_DESTINATION, values: [...values, v7()] });
    this.relay.wake();
  }
}
