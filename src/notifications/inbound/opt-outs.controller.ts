import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../../auth/decorators.js';
import type { Operator } from '../../auth/operators/operator.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ApiReadErrors, ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../../platform/validation/no-fields.dto.js';
import { BajaHechaDto, ListaDeBajasDto, ListarBajasDto } from './dto/baja.dto.js';
import { E164, OptOutsService } from './opt-outs.service.js';

const TELEFONO = {
  name: 'telefono',
  description: 'El número, en E.164; en una URL el `+` puede ir como está o como `%2B`.',
  example: '+50255551234',
};

@ApiTags('Operaciones')
@Controller('api/v1/operaciones/bajas')
export class OptOutsController {
  constructor(private readonly optOuts: OptOutsService) {}

  @Get()
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarBajas',
    summary: 'Listar los números que no reciben mensajes',
    description: 'De la baja más reciente a la más antigua.',
  })
  @ApiResponse({ status: 200, type: ListaDeBajasDto, description: 'Una página de bajas.' })
  @ApiReadErrors('cursor_invalido')
  async list(@CurrentOperator() { id }: Operator, @Query() dto: ListarBajasDto): Promise<ListaDeBajasDto> {
    return { ok: true, ...(await this.optOuts.list(id, dto)) };
  }

  @Put(':telefono')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'darDeBaja',
    summary: 'No escribir más a un número',
    description:
      'Con todos los proveedores de mensajería. Los mensajes por salir quedan en `omitido`. Repetirlo no hace daño. Un puente lo usa para decir que el destinatario pidió no recibir mensajes.',
  })
  @ApiParam(TELEFONO)
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
  @ApiResponse({ status: 200, type: BajaHechaDto, description: 'El número no recibe mensajes.' })
  @ApiWriteErrors()
  async optOut(
    @Param('telefono') telefono: string,
    @Body() _body: NoFields,
    @Query() _: NoFields,
  ): Promise<BajaHechaDto> {
    await this.optOuts.optOut({ telefono: readE164(telefono), usuario: null }, 'operador');
    return { ok: true };
  }

  @Delete(':telefono')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'quitarBaja',
    summary: 'Volver a escribir a un número',
    description: 'Termina la baja; no envía nada por sí mismo. Repetirlo no hace daño.',
  })
  @ApiParam(TELEFONO)
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
  @ApiResponse({ status: 200, type: BajaHechaDto, description: 'El número recibe mensajes otra vez.' })
  @ApiWriteErrors()
  async optIn(
    @Param('telefono') telefono: string,
    @Body() _body: NoFields,
    @Query() _: NoFields,
  ): Promise<BajaHechaDto> {
    await this.optOuts.optIn({ telefono: readE164(telefono), usuario: null });
    return { ok: true };
  }
}

/** @throws AppError `validacion` */
function readE164(text: string): string {
  if (E164.test(text)) return text;
  const mensaje = 'Envíe el número en E.164, con `+` y el código del país, como `+50255551234`.';
  throw AppError.validation([{ campo: 'telefono', codigo: 'formato', mensaje }]);
}
