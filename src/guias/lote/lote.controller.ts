import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentMerchant, RequireScope } from '../../auth/decorators.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { KeyLimits } from '../../auth/key-limits.js';
import { AnswerDeadline } from '../../http/answer-limit.js';
import { MIB } from '../../config/body-limit.js';
import { ApiReadErrors, ApiWriteErrors } from '../../openapi/api-errors.decorator.js';
import { NoParameters, RawBatch, ValidQuery } from '../../validation/input.decorators.js';
import { csvTemplate } from './csv-template.js';
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

/** Items charged as one request by the rate limit. */
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
  @RequireScope('guias:escribir', { bodyLimit: MIB, isBatch: true, takesCsv: true })
  @ApiOperation({
    operationId: 'crearGuias',
    summary: 'Crear muchas guías de una vez',
    description:
      'Una lista JSON de 1 a 100 guías, o un archivo CSV (`text/csv`) de hasta 1,000 filas. Cada una tiene su resultado, en el mismo orden: el rechazo de una no detiene a las demás. Repetir el lote no crea nada dos veces donde hay `external_ref`; el encabezado `Idempotency-Key` no se usa.\n\n' +
      '**CSV:** la primera fila nombra los campos de crear (`telefono`, `recogida.lat`, …; sin importar mayúsculas ni acentos); parta de `GET /api/v1/guias/lote/plantilla.csv`. Separado por comas o punto y coma (entonces también con coma decimal), en UTF-8 o Windows-1252.\n\n' +
      'Cuesta una solicitud por cada diez guías, como mucho el límite entero. Si no alcanza lo que queda en el minuto, responde 429 y no crea ninguna: repítalo tras `Retry-After`.',
    requestBody: LOTE_BODY,
  })
  @ApiExtraModels(CrearLoteDto, GuiaDeLoteDto, GuiaRechazadaDto)
  @ApiResponse({ status: 200, type: LoteCreadoDto, description: 'Un resultado por guía.' })
  @ApiWriteErrors('csv_invalido')
  async create(
    @CurrentMerchant() merchant: Merchant,
    @RawBatch({ field: 'guias', max: MAX_GUIAS }) sent: unknown[] | Buffer,
    @AnswerDeadline() deadline: number,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoteCreadoDto> {
    const items = await this.lote.read(sent);
    await this.limits.charge(request, reply, Math.ceil(items.length / ITEMS_PER_REQUEST));
    return toLoteCreado(await this.lote.create(merchant, items, deadline));
  }

  @Get('plantilla.csv')
  @RequireScope('guias:escribir')
  @ApiOperation({
    operationId: 'bajarPlantilla',
    summary: 'Bajar la plantilla de un lote en CSV',
    description:
      'Un archivo con el encabezado y sin filas, en UTF-8 y separado como lo abren las hojas de cálculo del país del comercio.',
  })
  @ApiResponse({
    status: 200,
    description: 'La plantilla.',
    content: { 'text/csv': { schema: { type: 'string' } } },
    headers: {
      'Content-Disposition': {
        description: 'Nombre del archivo.',
        schema: { type: 'string' },
        example: 'attachment; filename="guias.csv"',
      },
    },
  })
  @ApiReadErrors()
  template(
    @CurrentMerchant() merchant: Merchant,
    @ValidQuery(NoParameters) _: NoParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    void reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="guias.csv"');
    return csvTemplate(merchant.country);
  }
}
