import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { Config } from '../../../platform/config/env.js';
import { missingForLive, type GoingLiveVariable } from '../../../platform/config/going-live.js';
import { Database } from '../../../platform/database/database.js';
import { outboxOf, type Outbox } from '../../../platform/events/outbox.queries.js';
import { InjectLogger } from '../../../platform/logging/logging.module.js';
import { QueuesService } from '../../../platform/queues/queues.service.js';
import { withTimeout } from '../../../platform/timeouts/with-timeout.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { MAX_DELIVERIES } from '../accounts/endpoint-health.queries.js';
import { shownUrl } from '../../kit/shown-link.js';
import { startsOfDays } from '../local-days.js';
import { CausesService } from '../causes/causes.service.js';
import {
  dayCounts,
  failingEndpoints,
  liveGuia,
  unreadRefusals,
  type DayCounts,
  type FailingEndpoint,
  type UnreadRefusals,
} from './today.queries.js';

/** Timeout of a section in ms; the others are shown without it. */
const SECTION_MS = 1_500;

/** Seconds; an event or job that waits longer is shown as late. */
export const LAG_S = 60;

/** A queue with jobs that failed, or that wait for too long. */
export interface LaggingQueue {
  queue: string;
  failed: number;
  waiting: number;
  /** When the oldest waiting job was added, ISO 8601; null if none waits for too long. */
  waitingSince: string | null;
}

/** Problems that need a person, and the day in numbers; a section that could not be read is undefined. */
export type Today = Awaited<ReturnType<TodayService['load']>>;

@Injectable()
export class TodayService {
  constructor(
    private readonly database: Database,
    private readonly queues: QueuesService,
    private readonly causes: CausesService,
    private readonly config: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async load() {
    const [missing, endpoints, refusals, messages, attempts, unconfirmed, warned, day, queues, waiting] =
      await Promise.all([
        this.section('missing', this.missing()),
        this.section('endpoints', this.database.staff.rows<FailingEndpoint>(failingEndpoints())),
        this.section('refusals', this.database.staff.rows<UnreadRefusals>(unreadRefusals())),
        this.section('messages', this.causes.groupsOf('mensajes')),
        this.section('attempts', this.causes.groupsOf('intentos')),
        this.section('unconfirmed', this.causes.groupsOf('sin-confirmar')),
        this.section('warned', this.causes.groupsOf('advertencias')),
        this.section('day', this.day()),
        this.section('queues', this.laggingQueues()),
        this.section('outbox', this.database.staff.rows<Outbox>(outboxOf(MAX_DELIVERIES + 1))),
      ]);
    const isCalm = waiting?.[0] && waiting[0].apartados === 0 && waiting[0].atraso_s < LAG_S;
    return {
      /** Variables without which no recipient can be asked, once a live guide exists. */
      missing,
      endpoints: endpoints?.map((endpoint) => ({ ...endpoint, url: shownUrl(endpoint.url) })),
      refusals,
      messages,
      attempts,
      unconfirmed,
      warned,
      day,
      queues,
      /** Null where nothing waits for too long. */
      outbox: waiting && (isCalm ? null : waiting[0]),
    };
  }

  private async missing(): Promise<GoingLiveVariable[]> {
    const missing = missingForLive(this.config);
    return missing.length > 0 && (await this.database.staff.rows(liveGuia())).length > 0 ? missing : [];
  }

  private async day(): Promise<DayCounts> {
    const [today] = startsOfDays(Date.now(), 1, timeZoneOf(this.config.defaultCountry));
    return (await this.database.staff.rows<DayCounts>(dayCounts(new Date(today!.ms))))[0]!;
  }

  private async section<T>(name: string, loading: Promise<T>): Promise<T | undefined> {
    try {
      return await withTimeout(SECTION_MS, loading);
    } catch (error) {
      this.logger.warn({ err: error, section: name }, 'a section of the support home page could not be read');
      return undefined;
    }
  }

  private async laggingQueues(): Promise<LaggingQueue[]> {
    const all = await Promise.all(this.queues.all.map(toLagging));
    return all.filter(({ failed, waitingSince }) => failed > 0 || waitingSince !== null);
  }
}

async function toLagging(queue: Queue): Promise<LaggingQueue> {
  const [{ failed = 0, waiting = 0 }, [oldest]] = await Promise.all([
    queue.getJobCounts('failed', 'waiting'),
    queue.getJobs('waiting', 0, 0, true),
  ]);
  const isLate = oldest !== undefined && Date.now() - oldest.timestamp - oldest.delay > LAG_S * 1_000;
  const waitingSince = isLate ? new Date(oldest.timestamp + oldest.delay).toISOString() : null;
  return { queue: queue.name, failed, waiting, waitingSince };
}
