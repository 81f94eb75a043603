import { isIPv4 } from 'node:net';
import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/decorators.js';
import { Config } from '../config/env.js';
import { isSameSecret } from '../config/secrets.js';
import { AppError } from '../errors/app-error.js';
import type { Pause } from '../notifications/sending/sender-pauses.service.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {}

  /** The process runs. Never asks the database, whose outage must not restart every process. */
  @Get('livez')
  @Public()
  livez(): { ok: true } {
    return { ok: true };
  }

  /** The process can serve requests; `pausas` lists message senders that are paused until a person acts. */
  @Get('readyz')
  @Public()
  async readyz(): Promise<{ ok: true; pausas?: Pause[] }> {
    const pausas = await this.readiness.check();
    if (!pausas)
      throw new AppError('no_disponible', {
        detail: 'La base de datos no responde, o el proceso está por terminar.',
      });
    return { ok: true, ...(pausas.length > 0 && { pausas }) };
  }

  @Get('metrics')
  @Public()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  async getMetrics(@Req() request: FastifyRequest): Promise<string> {
    assertMayReadMetrics(request, this.config.metricsToken);
    return this.metrics.registry.metrics();
  }
}

function assertMayReadMetrics(request: FastifyRequest, token: string | undefined): void {
  if (token === undefined) {
    if (!isLocal(request))
      throw new AppError('sin_permiso', {
        detail: 'Las métricas solo se leen desde la misma máquina, o con METRICS_TOKEN.',
      });
  } else if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) {
    throw new AppError('no_autenticado', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

/** From loopback, and not forwarded by a proxy on this machine, whose callers may be anywhere. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isLoopback = address === '::1' || (isIPv4(address) && address.startsWith('127.'));
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}
