import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { pausedSenders, type PausedSender } from '../../../notifications/pauses/sender-pauses.queries.js';
import { withTimeout } from '../../../platform/timeouts/with-timeout.js';
import { MAX_DELIVERIES } from '../accounts/endpoint-health.queries.js';
import { renderSenderBanner } from './sender-banner.js';

/** ms; a page is shown without the banner if the database takes longer. */
const LIMIT_MS = 500;

/** Says on every page of the staff that the sender of messages is paused, or out. */
@Injectable()
export class SenderBannerService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Puts the banner above the content of each page below `/admin`; at the end of the board's, which is a script's. */
  showOn(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (request, _reply, body: unknown, done) => {
      const isPage =
        request.adminUser !== undefined && typeof body === 'string' && /^<!doctype html/i.test(body);
      if (isPage) void this.withBanner(body).then((page) => done(null, page));
      else done(null, body);
    });
  }

  private async withBanner(page: string): Promise<string> {
    const banner = await withTimeout(LIMIT_MS, this.load()).catch(() => '');
    if (banner === '') return page;
    const place = page.includes('<main ') ? '<main ' : '</body>';
    return page.replace(place, () => banner + place);
  }

  private async load(): Promise<string> {
    const { messagingProvider, defaultCountry } = this.config;
    const query = pausedSenders(messagingProvider, MAX_DELIVERIES + 1);
    const [sender] = await this.database.staff.rows<PausedSender>(query);
    return sender ? renderSenderBanner(sender, timeZoneOf(defaultCountry)) : '';
  }
}
