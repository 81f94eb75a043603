import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentMerchant, RequireScope, type Merchant } from '../../auth/decorators.js';
import { KeyLimits } from '../../auth/key-limits.js';
import { AnswerDeadline } from '../../http/answer-limit.js';
import { ApiWriteErrors } from '../../openapi/api-errors.decorator.js';
import { RawBatch } from '../../validation/input.decorators.js';
import {
  CrearLoteDto,
  GuiaDeLoteDto,
  GuiaRechazadaDto,
  LoteCreadoDto,
  MAX_GUIAS,
  toLoteCreado,
} from './lote.dto.js';
import { LOTE_BODY } from './lote.examples.js';
import { LoteService } from './lote.service.js';

/** Items that cost as much as one request. */
const ITEMS_PER_REQUEST = 10;

@ApiTags('Guías')
@Controller('api/v1/guias/lote')
export class LoteController {
  constructor(
    private readonly lote: LoteService,
    private readonly limits: KeyLimits,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('guias:escribir')
  @ApiOperation({
    operationId: 'crearGuias',
    summary: 'Crear muchas guías de una vez',
    description: 'x',
    requestBody: LOTE_BODY,
  })
  @ApiExtraModels(CrearLoteDto, GuiaDeLoteDto, GuiaRechazadaDto)
  @ApiResponse({ status: 200, type: LoteCreadoDto, description: 'Un resultado por guía.' })
  @ApiWriteErrors()
  async create(
    @CurrentMerchant() merchant: Merchant,
    @RawBatch({ field: 'guias', max: MAX_GUIAS }) sent: unknown[] | Buffer,
    @AnswerDeadline() deadline: number,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoteCreadoDto> {
    const items = this.lote.read(sent as unknown[]);
    await this.limits.charge(request, reply, Math.ceil(items.length / ITEMS_PER_REQUEST));
    return toLoteCreado(await this.lote.create(merchant, items, deadline));
  }
}
