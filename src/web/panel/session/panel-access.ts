import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyLimits } from '../../../auth/key-limits.js';
import { Config } from '../../../config/env.js';
import { tileSources } from '../../../config/map-tiles.js';
import { AppError } from '../../../errors/app-error.js';
import { pagePolicy } from '../../kit/link-page-headers.js';
import type { MerchantNeed } from '../../kit/page-routes.js';
import { isOwnPage } from '../../../http/own-page.js';
import { SCOPE_NAMES } from '../forms/panel-words.js';
import { may, toVisit } from '../visit.js';
import { tokenIn } from './session-cookie.js';
import { SessionsService } from './sessions.service.js';
import { ActiveUploads } from './active-uploads.js';

/** Guards the routes of the panel: a session, its key's limit and scopes, and forms of its own pages alone. */
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
    const session = await this.sessions.find(tokenIn(request.headers.cookie));
    const visit = session && toVisit(session.credential, session.secondsLeft);
    if (visit) {
      Object.assign(request, { credential: session.credential, visit });
      await this.limits.count(visit.keyId, reply);
    }
    if (need === 'entrada') return undefined;
    if (!visit) return reply.redirect('/panel', 303);
    if (may(visit, need)) {
      if (request.routeOptions.config.takesFile !== undefined) this.uploads.begin(visit.keyId, reply);
      return undefined;
    }
    const what = SCOPE_NAMES[need] ?? 'hacer esto';
    throw new AppError('sin_permiso', { detail: `Su clave no permite ${what}. Entre con otra que sí.` });
  }
}
