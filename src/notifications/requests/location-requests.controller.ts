import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../../auth/decorators.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { GUIA_PARAM } from '../../guias/dto/guia.param.js';
import { AnswersGuia } from '../../guias/guia-answer.interceptor.js';
import type { GuiaDelComercioRow } from '../../guias/guia/guia-row.js';
import { GuiasService } from '../../guias/guias.service.js';
import { ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../../platform/validation/no-fields.dto.js';
import { LocationRequestsService } from './location-requests.service.js';

@ApiTags('Guías')
@Controller('api/v1/guias')
export class LocationRequestsController {
  constructor(
    private readonly requests: LocationRequestsService,
    private readonly guias: GuiasService,
  ) {}

  @Post(':id/pedir-ubicacion')
  @HttpCode(200)
  @RequireScope('guias:escribir')
  @ApiOperation({
    operationId: 'pedirUbicacion',
    summary: 'Pedir otra vez la ubicación',
    description:
      'Envía otra vez el mensaje que pide la ubicación, también si la dirección está confirmada: lo sigue estando hasta que el destinatario responda. Si hay uno por salir, no se envía otro. Los enlaces anteriores siguen sirviendo. Si no se puede, `motivo` dice por qué.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
  @AnswersGuia('La guía; el mensaje va en camino.')
  @ApiWriteErrors('no_encontrado', 'mensaje_no_permitido')
  async ask(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @Query() _: NoFields,
  ): Promise<GuiaDelComercioRow> {
    await this.requests.ask(id, { comercioId: merchant.id }, { actor: 'comercio' });
    return this.guias.readFromPrimary(merchant, id);
  }
}
