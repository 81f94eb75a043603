import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentMerchant, RequireTestKey } from '../auth/decorators.js';
import type { Merchant } from '../auth/merchants/merchant.js';
import type { Registro } from '../guias/changes/guia-registro.js';
import { GUIA_PARAM } from '../guias/dto/guia.param.js';
import { AnswersOnce, type Repeatable } from '../platform/http/repeat.interceptor.js';
import { ApiReadErrors, ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import { RegistrarEventoDto, toMovimiento } from '../operations/dto/registrar-evento.dto.js';
import { AnswersRegistro } from '../operations/registro-answer.js';
import { NoFields } from '../platform/validation/no-fields.dto.js';
import { ListaDeMensajesDePruebaDto, ListarMensajesDePruebaDto } from './dto/mensaje-de-prueba.dto.js';
import {
  SimulacionIniciadaDto,
  SimulacionRespuestaDto,
  SimularDto,
  toSimulacion,
  type SimulacionDto,
} from './dto/simulacion.dto.js';
import { SimulacionesService } from './simulaciones.service.js';
import { SimulatedCourierService } from './simulated-courier.service.js';
import { TestMessagesService } from './test-messages.service.js';

/** Lets a developer act on test guides as their recipients and couriers would. */
@ApiTags('Pruebas')
@Controller('api/v1/pruebas')
export class PruebasController {
  constructor(
    private readonly messages: TestMessagesService,
    private readonly courier: SimulatedCourierService,
    private readonly simulaciones: SimulacionesService,
  ) {}

  @Get('mensajes')
  @RequireTestKey('guias:leer')
  @ApiOperation({
    operationId: 'listarMensajesDePrueba',
    summary: 'Ver los mensajes de prueba',
    description:
      'Lo que el destinatario habría recibido, con el enlace en el que confirma su ubicación. Aparece unos instantes después de crear la guía.',
  })
  @ApiResponse({ status: 200, type: ListaDeMensajesDePruebaDto, description: 'Una página de mensajes.' })
  @ApiReadErrors('requiere_clave_de_prueba', 'cursor_invalido')
  async listMessages(
    @CurrentMerchant() merchant: Merchant,
    @Query() dto: ListarMensajesDePruebaDto,
  ): Promise<ListaDeMensajesDePruebaDto> {
    return { ok: true, ...(await this.messages.list(merchant, dto)) };
  }

  @Post('guias/:id/estado')
  @RequireTestKey('guias:escribir')
  @ApiOperation({
    operationId: 'moverGuiaDePrueba',
    summary: 'Mover una guía de prueba',
    description:
      'Como lo haría la mensajería con `POST /api/v1/operaciones/guias/{id}/eventos`: los mismos campos, las mismas reglas, el mismo historial y los mismos avisos.',
  })
  @ApiParam(GUIA_PARAM)
  @AnswersRegistro()
  @ApiWriteErrors('requiere_clave_de_prueba', 'no_encontrado', 'transicion_invalida')
  async move(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Body() dto: RegistrarEventoDto,
    @Query() _: NoFields,
  ): Promise<Registro> {
    return this.courier.move(merchant.id, id, toMovimiento(dto));
  }

  @Post('guias/:id/simular')
  @RequireTestKey('guias:escribir')
  @ApiOperation({
    operationId: 'simularGuiaDePrueba',
    summary: 'Simular lo que le pasa a una guía de prueba',
    description:
      'Un mensajero simulado lleva la guía por el guion, con sus avisos. Si la dirección no está confirmada, primero la confirma un destinatario simulado, cerca del punto de recogida; al entregar se cobra todo el `cod_amount`. Empieza en el estado en que está la guía. Si alguien más la mueve, la simulación se detiene. Repetirlo mientras está en curso devuelve la misma simulación. Hasta 50 a la vez.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiBody({
    type: SimularDto,
    examples: {
      intento: {
        summary: 'Un intento fallido, y después la entrega',
        value: { guion: 'intento_y_entrega', cada_segundos: 2 },
      },
    },
  })
  @AnswersOnce(SimulacionIniciadaDto, {
    made: 'La simulación empezó.',
    repeated: 'Ya estaba en curso con ese guion.',
    mark: 'duplicada',
  })
  @ApiWriteErrors(
    'requiere_clave_de_prueba',
    'no_encontrado',
    'transicion_invalida',
    'simulacion_en_curso',
    'limite_de_simulaciones',
  )
  async simulate(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Body() dto: SimularDto,
    @Query() _: NoFields,
  ): Promise<Repeatable & { simulacion: SimulacionDto }> {
    const { simulacion, isDuplicate } = await this.simulaciones.start(merchant, id, dto);
    return { simulacion: toSimulacion(simulacion), isDuplicate };
  }

  @Get('guias/:id/simulacion')
  @RequireTestKey('guias:leer')
  @ApiOperation({
    operationId: 'obtenerSimulacion',
    summary: 'Ver la última simulación de una guía de prueba',
    description: 'Sus pasos, cuándo se hizo cada uno y, si se detuvo, por qué.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiResponse({ status: 200, type: SimulacionRespuestaDto, description: 'La simulación.' })
  @ApiReadErrors('requiere_clave_de_prueba', 'no_encontrado')
  async simulation(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() _: NoFields,
  ): Promise<SimulacionRespuestaDto> {
    return { ok: true, simulacion: toSimulacion(await this.simulaciones.last(merchant, id)) };
  }
}
