import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { counterOf, KeyLimits } from '../../../auth/key-limits.js';
import { Config } from '../../../platform/config/env.js';
import { tileSources } from '../../../platform/config/map-tiles.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { pagePolicy } from '../../kit/link-page-headers.js';
import type { MerchantNeed } from '../../kit/page-routes.js';
import { isOwnPage } from '../../../platform/http/own-page.js';
import { SCOPE_NAMES } from '../forms/panel-words.js';
import { may, toVisit } from '../visit.js';
import { SessionsService, tokenIn } from './sessions.service.js';

/** Files that a key, or a merchant's sessions without one, may send at once: each is in memory until it is answered. */
const MAX_UPLOADS = 2;

/** Counts the files that are being sent, from before their first byte is read until they are answered. */
class ActiveUploads {
  private readonly byCounter = new Map<string, number>();

  /** @throws AppError `demasiadas_solicitudes` */
  begin(counter: string, reply: FastifyReply): void {
    // The client has gone already: nothing will tell that it has.
    if (reply.raw.destroyed) return;
    const active = this.byCounter.get(counter) ?? 0;
    if (active >= MAX_UPLOADS)
      throw new AppError('demasiadas_solicitudes', {
        detail: 'Ya se suben dos archivos. Espere a que terminen, y súbalo otra vez.',
        headers: { 'Retry-After': '5' },
      });
    this.byCounter.set(counter, active + 1);
    reply.raw.once('close', () => {
      const left = this.byCounter.get(counter)! - 1;
      if (left > 0) this.byCounter.set(counter, left);
      else this.byCounter.delete(counter);
    });
  }
}

/** Guards the routes of the panel: a session, its limit and scopes, and forms of its own pages alone. */
@Injectable()
export class PanelAccess {
  private readonly publicUrl: string | undefined;
  private readonly headers: Record<string, string>;
  private readonly uploads = new ActiveUploads();

  constructor(
    { publicUrl, tiles }: Config,
    private readonly sessions: SessionsService,
    private readonly limits: KeyLimits,
  ) {
    this.publicUrl = publicUrl;
    this.headers = {
      'Content-Security-Policy': pagePolicy(tileSources(tiles)),
      'X-Robots-Tag': 'noindex, nofollow',
      // With `no-referrer` a form's `Origin` is `null`, and `isOwnPage` could not tell another site's forms.
      'Referrer-Policy': 'same-origin',
    };
  }

  /** @throws AppError `sin_permiso`, `demasiadas_solicitudes` */
  async enter(
    request: FastifyRequest,
    reply: FastifyReply,
    need: MerchantNeed,
  ): Promise<FastifyReply | undefined> {
    void reply.headers(this.headers);
    const isChange = request.method !== 'GET' && request.method !== 'HEAD';
    if (isChange && !isOwnPage(request, this.publicUrl))
      throw new AppError('sin_permiso', {
        detail: 'Los cambios solo se aceptan desde las páginas del panel.',
      });
    if (need === 'enlace') return undefined;
    const found = await this.sessions.find(tokenIn(request.headers.cookie));
    const visit = found && toVisit(found.credential, found.session);
    if (visit) {
      Object.assign(request, { credential: found.credential, visit });
      await this.limits.count(visit, reply);
    }
    if (need === 'entrada') return undefined;
    if (!found || !visit) return reply.redirect('/panel', 303);
    if (may(visit, need)) {
      if (request.routeOptions.config.takesFile !== undefined) this.uploads.begin(counterOf(visit), reply);
      return undefined;
    }
    if (found.credential.isClosed) throw new AppError('comercio_cerrado');
    const what = SCOPE_NAMES[need] ?? 'hacer esto';
    throw new AppError('sin_permiso', { detail: `Su clave no permite ${what}. Entre con otra que sí.` });
  }
}
