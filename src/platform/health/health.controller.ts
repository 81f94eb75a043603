import { Controller, Get, Header, HttpCode, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../http/public.js';
import { Config, isLoopback } from '../config/env.js';
import { isSameSecret } from '../config/secrets.js';
import { AppError } from '../errors/app-error.js';
import type { Attention } from './attention.queries.js';
import { Reads, type ReplicaStatus } from '../database/replicas/reads.js';
import { QueuesService } from '../queues/queues.service.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly reads: Reads,
    private readonly queues: QueuesService,
    private readonly config: Config,
  ) {}

  /** The process runs. Does not ask the database: an outage of it must not restart every process. */
  @Get('livez')
  @Public()
  livez(): { ok: true } {
    return { ok: true };
  }

  /** The process can serve requests. Callers that may read the metrics also get the problems that need a person. */
  @Get('readyz')
  @Public()
  async readyz(
    @Req() request: FastifyRequest,
  ): Promise<{ ok: true; cola?: string; replicas?: ReplicaStatus[] } & Partial<Attention>> {
    const attention = await this.readiness.check();
    if (!attention)
      throw new AppError('no_disponible', {
        detail: 'La base de datos no responde, o el proceso está por terminar.',
      });
    if (metricsRefusal(request, this.config.metricsToken) !== undefined) return { ok: true };
    const { eventos_apartados, pausas } = attention;
    const replicas = this.reads.status.filter(({ causa }) => causa !== undefined);
    const { causa: cola } = this.queues;
    return {
      ok: true,
      ...(cola !== undefined && { cola }),
      ...(replicas.length > 0 && { replicas }),
      ...(eventos_apartados > 0 && { eventos_apartados }),
      ...(pausas.length > 0 && { pausas }),
    };
  }

  /** Browsers ask for it beside every answer that is no page of ours: there is none, which is no mistake. */
  @Get('favicon.ico')
  @Public()
  @HttpCode(204)
  @Header('Cache-Control', 'public, max-age=86400')
  favicon(): void {}

  @Get('metrics')
  @Public()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  getMetrics(@Req() request: FastifyRequest): Promise<string> {
    const refusal = metricsRefusal(request, this.config.metricsToken);
    if (refusal) throw refusal;
    return this.metrics.text();
  }
}

/** HTTP compares schemes without case. */
const BEARER = /^bearer +/i;

/** Why the caller may not read metrics; undefined if it may. */
function metricsRefusal(request: FastifyRequest, token: string | undefined): AppError | undefined {
  if (token !== undefined) {
    if (isSameSecret((request.headers.authorization ?? '').replace(BEARER, 'Bearer '), `Bearer ${token}`))
      return undefined;
    return new AppError('no_autenticado', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  if (isLocal(request)) return undefined;
  const detail = 'Las métricas solo se leen desde la misma máquina, o con METRICS_TOKEN.';
  return new AppError('sin_permiso', { detail });
}

/** Whether a request comes from loopback, and not through a proxy on this machine. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return isLoopback(address) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}
