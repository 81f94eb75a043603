import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../../../platform/config/env.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { Database } from '../../../platform/database/database.js';
import { NOTIFICACIONES } from '../../../notifications/notifications.queue.js';
import { findPause } from '../../../notifications/pauses/sender-pauses.queries.js';
import { merchantsOfGuias } from '../accounts/merchants.queries.js';
import { JOB_NAMES } from '../texts.js';

/** Guides whose merchant is remembered: a few pages of jobs of several users. */
const MAX_KNOWN = 5_000;

export interface LabelledJob {
  name: string;
  data?: unknown;
  failedReason?: string | undefined;
}

/** Names jobs on the board: a job carries ids alone. */
@Injectable()
export class JobLabelsService {
  private readonly merchants = new LRUCache<string, string>({ max: MAX_KNOWN });

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Reads the merchants that `linkOf` names; call it first. Without the database, links name no merchant. */
  async load(jobs: LabelledJob[]): Promise<void> {
    const unknown = jobs
      .map(guiaOf)
      .filter((guia): guia is string => guia !== undefined && !this.merchants.has(guia));
    if (unknown.length === 0) return;
    const query = merchantsOfGuias(unknown);
    const { rows } = await this.database
      .query<{ guia: string; nombre: string }>(query)
      .catch(() => ({ rows: [] as { guia: string; nombre: string }[] }));
    for (const { guia, nombre } of rows) this.merchants.set(guia, nombre);
  }

  /** The kind of a job, and why it failed. */
  nameOf({ name, failedReason }: LabelledJob): string {
    const kind = Object.hasOwn(JOB_NAMES, name) ? JOB_NAMES[name]! : name;
    return failedReason ? `${kind}: ${failedReason}` : kind;
  }

  /** The guide and merchant of a job, as a link to the guide's page; undefined for a job about no guide. */
  linkOf(job: LabelledJob): { displayText: string; href: string } | undefined {
    const guia = guiaOf(job);
    if (guia === undefined) return undefined;
    const merchant = this.merchants.get(guia);
    return {
      displayText: merchant === undefined ? `Guía ${guia}` : `Guía ${guia} · ${merchant}`,
      href: `/admin/guias/${encodeURIComponent(guia)}${messageOf(job)}`,
    };
  }

  /** Whether the jobs of a queue wait because their sender is paused, which the queue itself does not say. */
  async isSenderPaused(queue: string): Promise<boolean> {
    if (queue !== NOTIFICACIONES) return false;
    const { rowCount } = await this.database.query(findPause(this.config.messagingProvider));
    return rowCount! > 0;
  }
}

/** The line of a message on the guide's page; empty for other jobs. */
function messageOf({ data }: LabelledJob): string {
  const id = (data as { mensajeId?: unknown } | undefined)?.mensajeId;
  return typeof id === 'string' && isUuid(id) ? `#m-${id}` : '';
}

function guiaOf({ data }: LabelledJob): string | undefined {
  const guia = (data as { guia?: unknown } | undefined)?.guia;
  return typeof guia === 'string' ? guia : undefined;
}
