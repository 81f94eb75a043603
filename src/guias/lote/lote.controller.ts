import {
  Body,
  Controller,
  Get,
  HttpCode,
  Post,
  Query,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../../auth/decorators.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { CostsByItem } from '../../auth/request-cost.interceptor.js';
import { AnswerDeadline } from '../../platform/http/answer-limit.js';
import { MIB } from '../../platform/config/body-limit.js';
import { ApiReadErrors, ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { ApiCsvBody } from '../../platform/openapi/route-notes.js';
import { NoFields } from '../../platform/validation/no-fields.dto.js';
import { CsvBodyInterceptor } from './csv-body.interceptor.js';
import { csvTemplate } from './csv-template.js';
import {
  countItems,
  CrearLoteDto,
  GuiaDeLoteDto,
  GuiaRechazadaDto,
  itemsOf,
  LoteCreadoDto,
  toLoteCreado,
} from './lote.dto.js';
import { LOTE_CSV, LOTE_EXAMPLES } from './lote.examples.js';
import { LoteService } from './lote.service.js';

@ApiTags('Guías')
@Controller('api/v1/guias/lote')
export class LoteController {
  constructor(private readonly lote: LoteService) {}

  @Post()
  @HttpCode(200)
  // Applied from the bottom: the rows of a file count.
  @CostsByItem(countItems)
  @UseInterceptors(CsvBodyInterceptor)
  @RequireScope('guias:escribir', { bodyLimit: MIB, isBatch: true, takesCsv: true })
  @ApiOperation({
    operationId: 'crearGuias',
    summary: 'Crear muchas guías de una vez',
    description:
      'Una lista JSON de 1 a 100 guías, o un archivo CSV (`text/csv`) de hasta 1,000 filas. Cada una tiene su resultado, en el mismo orden: el rechazo de una no detiene a las demás. Repetir el lote no crea nada dos veces donde hay `external_ref`; el encabezado `Idempotency-Key` no se usa.\n\n' +
      '**CSV:** la primera fila nombra los campos de crear (`telefono`, `recogida.lat`, …; sin importar mayúsculas ni acentos); parta de `GET /api/v1/guias/lote/plantilla.csv`. Separado por comas o punto y coma (entonces también con coma decimal), en UTF-8 o Windows-1252.\n\n' +
      'Cuesta una solicitud por cada diez guías, como mucho el límite entero. Si no alcanza lo que queda en el minuto, responde 429 y no crea ninguna: repítalo tras `Retry-After`.',
  })
  @ApiBody({ type: CrearLoteDto, examples: LOTE_EXAMPLES })
  @ApiCsvBody(LOTE_CSV)
  @ApiExtraModels(GuiaDeLoteDto, GuiaRechazadaDto)
  @ApiResponse({ status: 200, type: LoteCreadoDto, description: 'Un resultado por guía.' })
  @ApiWriteErrors('csv_invalido')
  async create(
    @CurrentMerchant() merchant: Merchant,
    @Body() lote: CrearLoteDto,
    @Query() _: NoFields,
    @AnswerDeadline() deadline: number,
  ): Promise<LoteCreadoDto> {
    return toLoteCreado(await this.lote.create(merchant, itemsOf(lote), deadline));
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
  template(@CurrentMerchant() merchant: Merchant, @Query() _: NoFields): StreamableFile {
    return new StreamableFile(Buffer.from(csvTemplate(merchant.country)), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="guias.csv"',
    });
  }
}
