import {
  applyDecorators,
  Controller,
  Get,
  Header,
  Param,
  Query,
  type StreamableFile,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiParam, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentMerchant, CurrentOwner, RequireScope } from '../auth/decorators.js';
import { MerchantsService } from '../auth/merchants/merchants.service.js';
import type { Merchant } from '../auth/merchants/merchant.js';
import type { Owner } from '../auth/owner.js';
import { AcceptsCsv, csvFile, csvOrJson } from '../platform/http/csv-answer.js';
import { uuidParam } from '../platform/openapi/answer-fields.js';
import { ApiReadErrors } from '../platform/openapi/api-errors.decorator.js';
import { COMERCIO, zoneOf } from '../platform/validation/query.fields.js';
import { AjustesService } from './ajustes.service.js';
import { COBROS_CSV } from './cobro-csv.js';
import { CobroListService } from './cobro-list.service.js';
import { AJUSTES_CSV, ListaDeAjustesDto } from './dto/ajuste.dto.js';
import { ListaDeCobrosDto, ResumenDto, ResumirCobrosDto, toMoneyFilter } from './dto/cobro.dto.js';
import { LiquidacionRespuestaDto, ListaDeLiquidacionesDto, toLiquidacion } from './dto/liquidacion.dto.js';
import { ExactAmounts } from './exact-amounts.js';
import { LiquidacionesService } from './liquidaciones.service.js';
import { OF_MERCHANTS, OF_OPERATORS, type MoneyDocs } from './money.docs.js';

export const LIQUIDACION_PARAM = uuidParam('id', '`id` de la liquidación.');

const EXAMPLES = { cobros: COBROS_CSV, ajustes: AJUSTES_CSV };

/** Documents a list that is JSON, page by page, or all of it as CSV. */
const AnswersList = (name: keyof typeof EXAMPLES, type: Type): MethodDecorator =>
  applyDecorators(
    Header('Vary', 'Accept'),
    ApiExtraModels(type),
    ApiResponse({
      status: 200,
      description: `Una página de ${name}, o todos en CSV.`,
      ...csvOrJson(name, { $ref: getSchemaPath(type) }, EXAMPLES[name]),
    }),
  );

/** The lists of amounts, adjustments and settlements, as one kind of owner has them. */
function listsOf({ tag, scope, queries, cobros, operations }: MoneyDocs) {
  // Named here, because Nest reads the class of a query from its parameter.
  class AjustesDto extends queries.ajustes {}
  class CobrosDto extends queries.cobros {}
  class LiquidacionesDto extends queries.liquidaciones {}
  class WithinDto extends queries.within {}
  class NoneDto extends queries.none {}

  @ApiTags(tag)
  @UseInterceptors(ExactAmounts)
  class Lists {
    constructor(
      readonly cobros: CobroListService,
      readonly ajustes: AjustesService,
      readonly liquidaciones: LiquidacionesService,
      readonly merchants: MerchantsService,
    ) {}

    @Get('ajustes')
    @RequireScope(scope)
    @ApiOperation(operations.ajustes)
    @AnswersList('ajustes', ListaDeAjustesDto)
    @ApiReadErrors('cursor_invalido')
    async listAjustes(
      @CurrentOwner() owner: Owner,
      @Query() dto: AjustesDto,
      @AcceptsCsv() isCsv: boolean,
    ): Promise<ListaDeAjustesDto | StreamableFile> {
      const country = await this.countryFor(dto);
      const filter = toMoneyFilter(dto, country);
      const zone = dto.zona && zoneOf(dto.zona, country);
      return isCsv
        ? csvFile('ajustes', await this.ajustes.csv(owner, filter, zone, dto.comercio))
        : { ok: true, ...(await this.ajustes.page(owner, filter, dto)) };
    }

    @Get('cobros')
    @RequireScope(scope)
    @ApiOperation(operations.cobros)
    @AnswersList('cobros', cobros)
    @ApiReadErrors('cursor_invalido')
    async listCobros(
      @CurrentOwner() owner: Owner,
      @Query() dto: CobrosDto,
      @AcceptsCsv() isCsv: boolean,
    ): Promise<ListaDeCobrosDto | StreamableFile> {
      const country = await this.countryFor(dto);
      const filter = toMoneyFilter(dto, country);
      const zone = dto.zona && zoneOf(dto.zona, country);
      return isCsv
        ? csvFile('cobros', await this.cobros.csv(owner, filter, zone, dto.comercio))
        : { ok: true, ...(await this.cobros.page(owner, filter, dto)) };
    }

    @Get('liquidaciones')
    @RequireScope(scope)
    @ApiOperation(operations.liquidaciones)
    @ApiResponse({ status: 200, type: ListaDeLiquidacionesDto, description: 'Una página de liquidaciones.' })
    @ApiReadErrors('cursor_invalido')
    async list(
      @CurrentOwner() owner: Owner,
      @Query() dto: LiquidacionesDto,
    ): Promise<ListaDeLiquidacionesDto> {
      return { ok: true, ...(await this.liquidaciones.page(owner, dto)) };
    }

    @Get('liquidaciones/:id')
    @RequireScope(scope)
    @ApiOperation({ ...operations.liquidacion, description: 'Lo que suma, y si ya se pagó.' })
    @ApiParam(LIQUIDACION_PARAM)
    @ApiResponse({ status: 200, type: LiquidacionRespuestaDto, description: 'La liquidación.' })
    @ApiReadErrors('no_encontrado')
    async show(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Query() _: NoneDto,
    ): Promise<LiquidacionRespuestaDto> {
      return { ok: true, liquidacion: toLiquidacion(await this.liquidaciones.find(owner, id)) };
    }

    @Get('liquidaciones/:id/cobros')
    @RequireScope(scope)
    @ApiOperation({
      ...operations.cobrosWithin,
      description:
        'Los cobros que suman su monto, de la guía más reciente a la más antigua. Con `Accept: text/csv` llegan todos como archivo CSV.',
    })
    @ApiParam(LIQUIDACION_PARAM)
    @AnswersList('cobros', ListaDeCobrosDto)
    @ApiReadErrors('cursor_invalido', 'no_encontrado')
    async listCobrosOf(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Query() dto: WithinDto,
      @AcceptsCsv() isCsv: boolean,
    ): Promise<ListaDeCobrosDto | StreamableFile> {
      const { liquidacion, merchant } = await this.within(owner, id);
      return isCsv
        ? csvFile(`liquidacion-${liquidacion}`, await this.cobros.csv(merchant, { liquidacion }))
        : { ok: true, ...(await this.cobros.page(merchant, { liquidacion }, dto)) };
    }

    @Get('liquidaciones/:id/ajustes')
    @RequireScope(scope)
    @ApiOperation({
      ...operations.ajustesWithin,
      description:
        'Los ajustes que tomó, del más reciente al más antiguo. Con `Accept: text/csv` llegan todos como archivo CSV.',
    })
    @ApiParam(LIQUIDACION_PARAM)
    @AnswersList('ajustes', ListaDeAjustesDto)
    @ApiReadErrors('cursor_invalido', 'no_encontrado')
    async listAjustesOf(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Query() dto: WithinDto,
      @AcceptsCsv() isCsv: boolean,
    ): Promise<ListaDeAjustesDto | StreamableFile> {
      const { liquidacion, merchant } = await this.within(owner, id);
      return isCsv
        ? csvFile(`ajustes-${liquidacion}`, await this.ajustes.csv(merchant, { liquidacion }))
        : { ok: true, ...(await this.ajustes.page(merchant, { liquidacion }, dto)) };
    }

    async within(owner: Owner, id: string) {
      const { id: liquidacion, comercio_id, moneda } = await this.liquidaciones.find(owner, id);
      return { liquidacion, merchant: { id: comercio_id, currency: moneda } };
    }

    /** Of the merchant that an operator's `zona=comercio` means. */
    async countryFor({ zona, comercio }: { zona?: string; comercio?: string }): Promise<string | undefined> {
      return zona === COMERCIO ? (await this.merchants.find(comercio!))?.pais : undefined;
    }
  }
  return Lists;
}

@Controller('api/v1')
export class MoneyController extends listsOf(OF_MERCHANTS) {
  @Get('cobros/resumen')
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'resumirCobros',
    summary: 'Resumir los cobros',
    description:
      'Guías y montos de cada estado, y la diferencia entre lo cobrado y lo que se debía cobrar. Con `desde` o `hasta`, solo lo cobrado entonces.',
  })
  @ApiResponse({ status: 200, type: ResumenDto, description: 'Los totales.' })
  @ApiReadErrors()
  sum(@CurrentMerchant() merchant: Merchant, @Query() dto: ResumirCobrosDto): Promise<ResumenDto> {
    return this.cobros.sum(merchant, toMoneyFilter(dto));
  }
}

@Controller('api/v1/operaciones')
export class OperatorMoneyController extends listsOf(OF_OPERATORS) {}
