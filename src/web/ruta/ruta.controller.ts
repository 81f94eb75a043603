import { Controller, Get, Headers, HttpCode, Param, Post, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../auth/decorators.js';
import { KIB } from '../../config/body-limit.js';
import { compress, encodingOf } from '../kit/compression.js';
import { PageAnswer, PageAnswerInterceptor } from '../kit/page-answer.js';
import { AnswerDeadline } from '../../http/answer-limit.js';
import { NoFields } from '../../validation/no-fields.dto.js';
import { findRutaAsset, serviceWorker } from './ruta-assets.js';
import { renderRuta, renderShell, RUTA_HEADERS } from './ruta-page.js';
import type { LibreRow } from './ruta.queries.js';
import { RutaService } from './ruta.service.js';

/**
 * The driver's page. The token in the link is the key; no cookie is used. Changes are taken as JSON alone, which another
 * site's form cannot send.
 */
@ApiExcludeController()
@UseInterceptors(PageAnswerInterceptor)
@Controller('r')
export class RutaController {
  constructor(private readonly ruta: RutaService) {}

  @Get('assets/:version/:name')
  @Public()
  asset(
    @Param('version') version: string,
    @Param('name') name: string,
    @Headers('accept-encoding') accepted?: string,
  ): Promise<PageAnswer> {
    return findRutaAsset(name, version, accepted);
  }

  @Get('sw.js')
  @Public()
  worker(): PageAnswer {
    return serviceWorker();
  }

  /** The page that opens without a network; it has nobody's data. */
  @Get('sin-red')
  @Public()
  shell(@Headers('accept-encoding') accepted?: string): Promise<PageAnswer> {
    return compressed(renderShell(), RUTA_HEADERS, accepted);
  }

  @Get(':token')
  @Public()
  async page(
    @Param('token') token: string,
    @Headers('accept-encoding') accepted?: string,
  ): Promise<PageAnswer> {
    const ruta = await this.ruta.show(await this.ruta.admit(token));
    return compressed(renderRuta(ruta), RUTA_HEADERS, accepted);
  }

  @Get(':token/guias')
  @Public()
  async guias(
    @Param('token') token: string,
    @Query() _query: NoFields,
    @Headers('accept-encoding') accepted?: string,
  ): Promise<PageAnswer> {
    const ruta = await this.ruta.show(await this.ruta.admit(token));
    return compressed(JSON.stringify({ ok: true, ...ruta }), JSON_HEADERS, accepted);
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

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };

/** An answer whose size counts on a phone's network, compressed where the phone takes that. */
async function compressed(
  text: string,
  headers: Record<string, string>,
  acceptEncoding: string | undefined,
): Promise<PageAnswer> {
  const encoding = encodingOf(acceptEncoding);
  const varying = { ...headers, Vary: 'Accept-Encoding' };
  if (!encoding) return new PageAnswer(text, varying);
  return new PageAnswer(await compress(encoding, text), { ...varying, 'Content-Encoding': encoding });
}
