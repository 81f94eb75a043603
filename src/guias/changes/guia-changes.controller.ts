import { Body, Controller, Headers, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../../auth/decorators.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../../platform/validation/no-fields.dto.js';
import { CancelarGuiaDto } from '../dto/cancelar-guia.dto.js';
import { EDIT_ERRORS, EditarGuiaDto, IF_MATCH } from '../dto/editar-guia.dto.js';
import { GUIA_PARAM } from '../dto/guia.param.js';
import { AnswersGuia } from '../guia-answer.interceptor.js';
import type { GuiaDelComercioRow } from '../guia/guia-row.js';
import { GuiasService } from '../guias.service.js';
import { GuiaEditsService } from './guia-edits.service.js';
import { GuiaMovesService } from './guia-moves.service.js';

@ApiTags('Guías')
@Controller('api/v1/guias')
export class GuiaChangesController {
  constructor(
    private readonly guias: GuiasService,
    private readonly edits: GuiaEditsService,
    private readonly moves: GuiaMovesService,
  ) {}

  @Patch(':id')
  @RequireScope('guias:escribir')
  @ApiOperation({
    operationId: 'editarGuia',
    summary: 'Cambiar una guía',
    description:
      'Hasta la recogida (`aceptado`, `en_camino_a_recoger`) cambia todo menos `external_ref` y `recogida`. Después, en `recogido` e `intento_fallido`, solo lo que sirve para llegar: teléfono, dirección, referencia, notas y destino. En `en_ruta`, referencia y notas, que lee el piloto. Los campos ausentes quedan como están. Con `lat` y `lng`, o `maps_url`, la dirección queda confirmada; en null la quitan, y se le pregunta al destinatario. Si el servicio de mapas de un enlace corto no responde, el enlace se guarda y `pendientes` lo nombra; se sigue leyendo como al crear.\n\nEnvíe en `If-Match` el `ETag` con el que leyó la guía: si alguien la cambió mientras tanto, la respuesta es 412 y no se pierde su cambio.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiHeader(IF_MATCH)
  @ApiBody({
    type: EditarGuiaDto,
    examples: {
      direccion: {
        summary: 'Otra referencia',
        value: { referencia: 'Portón azul, a la par de la tienda', notas: null },
      },
      cobro: { summary: 'Otro monto por cobrar', value: { cod_amount: 299.5 } },
      telefono: { summary: 'Otro teléfono', value: { telefono: '5555 4321' } },
      pin: { summary: 'Un pin', value: { lat: 14.6407, lng: -90.5133 } },
      sin_destino: { summary: 'Preguntar otra vez', value: { lat: null, lng: null } },
    },
  })
  @AnswersGuia('La guía después del cambio.')
  @ApiWriteErrors(...EDIT_ERRORS)
  async edit(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() dto: EditarGuiaDto,
    @Query() _: NoFields,
  ): Promise<GuiaDelComercioRow> {
    return this.edits.edit(merchant, id, dto, ifMatch);
  }

  @Post(':id/cancelar')
  @HttpCode(200)
  @RequireScope('guias:escribir')
  @ApiOperation({
    operationId: 'cancelarGuia',
    summary: 'Cancelar una guía',
    description:
      'Cancela una guía que aún no se recogió (`aceptado` o `en_camino_a_recoger`). Repetirlo no hace daño: una guía ya cancelada responde 200.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiBody({ type: CancelarGuiaDto, required: false })
  @AnswersGuia('La guía cancelada.')
  @ApiWriteErrors('no_encontrado', 'transicion_invalida')
  async cancel(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Body() dto: CancelarGuiaDto,
    @Query() _: NoFields,
  ): Promise<GuiaDelComercioRow> {
    await this.moves.cancel(merchant, id, dto.nota);
    return this.guias.readFromPrimary(merchant, id);
  }
}
