import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../decorators.js';
import type { Merchant } from '../merchants/merchant.js';
import { REQUEST_ID_EXAMPLE } from '../../platform/openapi/answer-fields.js';
import { ApiReadErrors } from '../../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../../platform/validation/no-fields.dto.js';
import { SolicitudesRespuestaDto } from './dto/solicitud.dto.js';
import { SolicitudesService } from './solicitudes.service.js';

@ApiTags('Guías')
@Controller('api/v1/solicitudes')
export class SolicitudesController {
  constructor(private readonly solicitudes: SolicitudesService) {}

  @Get(':id')
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'verSolicitud',
    summary: 'Ver qué respondió una solicitud',
    description:
      'Por el `X-Request-Id` de su respuesta: qué ruta se llamó, cuándo, y qué se respondió. Se guardan 30 días las solicitudes que cambian algo y las rechazadas, de este comercio y de este modo, y se ven a lo sumo 5 segundos después de responderlas. Es para buscar una falla: una solicitud puede faltar si el servicio estaba saturado.',
  })
  @ApiParam({
    name: 'id',
    description: '`X-Request-Id` de la respuesta.',
    schema: { type: 'string' },
    example: REQUEST_ID_EXAMPLE,
  })
  @ApiResponse({ status: 200, type: SolicitudesRespuestaDto, description: 'Las solicitudes con ese id.' })
  @ApiReadErrors('no_encontrado')
  async show(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() _: NoFields,
  ): Promise<SolicitudesRespuestaDto> {
    return { ok: true, solicitudes: await this.solicitudes.find(merchant, id) };
  }
}
