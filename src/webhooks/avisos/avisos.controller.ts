import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../../auth/decorators.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { ApiReadErrors } from '../../platform/openapi/api-errors.decorator.js';
import { ListaDeAvisosDto, ListarAvisosDto } from './aviso-guardado.dto.js';
import { KEEP_HOURS } from './avisos.queries.js';
import { AvisosService } from './avisos.service.js';

/** Webhooks for programs that nobody can call: on a laptop, behind a firewall. */
@ApiTags('Webhooks')
@Controller('api/v1/webhooks/avisos')
export class AvisosController {
  constructor(private readonly avisos: AvisosService) {}

  @Get()
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'listarAvisos',
    summary: 'Pedir los avisos en vez de recibirlos',
    description: `Los avisos de todos los eventos, sin registrar un endpoint: para un programa al que nadie puede llamar. Se guardan ${KEEP_HOURS} horas, desde la primera llamada a esta ruta. Repita la llamada con el último \`siguiente_cursor\`: cada aviso llega una vez, y los de una guía en su orden.`,
  })
  @ApiResponse({ status: 200, type: ListaDeAvisosDto, description: 'Los avisos que siguen; quizá ninguno.' })
  @ApiReadErrors('cursor_invalido')
  async list(
    @CurrentMerchant() merchant: Merchant,
    @Query() dto: ListarAvisosDto,
  ): Promise<ListaDeAvisosDto> {
    return { ok: true, ...(await this.avisos.page(merchant, dto)) };
  }
}
