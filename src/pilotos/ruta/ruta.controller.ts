import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../auth/decorators.js';
import { KIB } from '../../config/body-limit.js';
import { AnswerDeadline } from '../../http/answer-limit.js';
import type { LibreRow } from './ruta.queries.js';
import { RutaService, type Ruta } from './ruta.service.js';

/**
 * The driver's page. The token in the link is the key; no cookie is used. Changes are taken as JSON alone, which another
 * site's form cannot send.
 */
@ApiExcludeController()
@Controller('r')
export class RutaController {
  constructor(private readonly ruta: RutaService) {}

  @Get(':token/guias')
  @Public()
  async guias(@Param('token') token: string): Promise<{ ok: true } & Ruta> {
    return { ok: true, ...(await this.ruta.show(await this.ruta.admit(token))) };
  }

  // A hundred events with the longest notes.
  @Post(':token/eventos')
  @Public({ bodyLimit: 512 * KIB, isBatch: true })
  @HttpCode(200)
  async register(
    @Param('token') token: string,
    @Req() { body }: FastifyRequest,
    @AnswerDeadline() deadline: number,
  ): Promise<{ ok: true; resultados: object[] }> {
    const piloto = await this.ruta.admit(token);
    return { ok: true, resultados: await this.ruta.register(piloto, body, deadline) };
  }

  @Post(':token/buscar')
  @Public()
  @HttpCode(200)
  async search(
    @Param('token') token: string,
    @Req() { body }: FastifyRequest,
  ): Promise<{ ok: true; guias: LibreRow[] }> {
    const piloto = await this.ruta.admit(token);
    return { ok: true, guias: await this.ruta.search(piloto, body) };
  }

  @Post(':token/tomar')
  @Public()
  @HttpCode(200)
  async take(
    @Param('token') token: string,
    @Req() { body }: FastifyRequest,
  ): Promise<{ ok: true; guia: string }> {
    const piloto = await this.ruta.admit(token);
    return { ok: true, guia: await this.ruta.take(piloto, body) };
  }
}
