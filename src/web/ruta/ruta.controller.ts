import { Controller, Get, HttpCode, Param, Post, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../platform/http/public.js';
import { KIB } from '../../platform/config/body-limit.js';
import { findAsset } from '../kit/assets.js';
import { PageAnswer, PageAnswerInterceptor } from '../kit/page-answer.js';
import { AnswerDeadline } from '../../platform/http/answer-limit.js';
import { NoFields } from '../../platform/validation/no-fields.dto.js';
import { renderRuta, renderShell, RUTA_HEADERS } from './ruta-page.js';
import type { LibreRow } from './ruta.queries.js';
import { RutaService, type Ruta } from './ruta.service.js';
import { serviceWorker } from './service-worker.js';

/** The driver's page, by the token in its link, without cookies. Changes are JSON: another site's form cannot send it. */
@ApiExcludeController()
@UseInterceptors(PageAnswerInterceptor)
@Controller('r')
export class RutaController {
  constructor(private readonly ruta: RutaService) {}

  /** Pages of earlier releases, which phones keep, name a version in the path. */
  @Get(['assets/:file', 'assets/:file/:name'])
  @Public()
  asset(
    @Param() { file, name = file }: { file: string; name?: string },
    @Req() request: FastifyRequest<{ Querystring: { v?: string } }>,
  ): Promise<PageAnswer> {
    return findAsset(name, request);
  }

  @Get('sw.js')
  @Public()
  worker(): Promise<PageAnswer> {
    return serviceWorker();
  }

  /** The page that opens without a network; it has nobody's data. */
  @Get('sin-red')
  @Public()
  shell(): PageAnswer {
    return new PageAnswer(renderShell(), RUTA_HEADERS);
  }

  @Get(':token')
  @Public()
  async page(@Param('token') token: string): Promise<PageAnswer> {
    const ruta = await this.ruta.show(await this.ruta.admit(token));
    return new PageAnswer(renderRuta(ruta), RUTA_HEADERS);
  }

  @Get(':token/guias')
  @Public()
  async guias(@Param('token') token: string, @Query() _query: NoFields): Promise<Ruta & { ok: true }> {
    return { ok: true, ...(await this.ruta.show(await this.ruta.admit(token))) };
  }

  // A hundred events with the longest notes.
  @Post(':token/eventos')
  @Public({ bodyLimit: 512 * KIB, isBatch: true })
  @HttpCode(200)
  async register(
    @Param('token') token: string,
    @Query() _query: NoFields,
    @Req() { body }: FastifyRequest,
    @AnswerDeadline() deadline: number,
  ): Promise<{ ok: true; resultados: object[] }> {
    const piloto = await this.ruta.admit(token);
    return { ok: true, resultados: await this.ruta.register(piloto, body, deadline) };
  }

  @Post(':token/entendidos')
  @Public()
  @HttpCode(200)
  async understand(
    @Param('token') token: string,
    @Query() _query: NoFields,
    @Req() { body }: FastifyRequest,
  ): Promise<{ ok: true }> {
    await this.ruta.understand(await this.ruta.admit(token), body);
    return { ok: true };
  }

  @Post(':token/buscar')
  @Public()
  @HttpCode(200)
  async search(
    @Param('token') token: string,
    @Query() _query: NoFields,
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
    @Query() _query: NoFields,
    @Req() { body }: FastifyRequest,
  ): Promise<{ ok: true; guia: string }> {
    const piloto = await this.ruta.admit(token);
    return { ok: true, guia: await this.ruta.take(piloto, body) };
  }
}
