import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../auth/decorators.js';
import type { Merchant } from '../auth/merchants/merchant.js';
import { departmentsOf } from '../locations/places/places.js';
import { ApiReadErrors } from '../platform/openapi/api-errors.decorator.js';
import { ListarLugaresDto, LugaresDto } from './dto/lugares.dto.js';

@ApiTags('Guías')
@Controller('api/v1/lugares')
export class LugaresController {
  @Get()
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'listarLugares',
    summary: 'Ver departamentos y municipios',
    description:
      'Los departamentos y municipios de un país, para que sus clientes elijan de una lista. Hay tablas de MX, GT, SV, HN, NI, CR, PA, BZ y DO. Una guía con otros nombres también se crea, con la advertencia `municipio_desconocido`.',
  })
  @ApiResponse({ status: 200, type: LugaresDto, description: 'Los lugares del país.' })
  @ApiReadErrors()
  list(
    @CurrentMerchant() merchant: Merchant,
    @Query() { pais = merchant.country }: ListarLugaresDto,
  ): LugaresDto {
    const country = pais.toUpperCase();
    return { ok: true, pais: country, departamentos: departmentsOf(country) };
  }
}
