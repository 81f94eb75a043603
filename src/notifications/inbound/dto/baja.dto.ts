import { ApiProperty } from '@nestjs/swagger';
import { OkDto, PaginaDto } from '../../../platform/openapi/answer.dto.js';
import { ApiTime, meaningsOf } from '../../../platform/openapi/answer-fields.js';
import { CursorField, LimitField } from '../../../platform/pagination/page.fields.js';
import { BAJA_ORIGENES, type BajaOrigen } from '../baja.entity.js';

export class BajaDto {
  @ApiProperty({ description: 'El número, en E.164.', example: '+50255551234' })
  telefono: string;

  @ApiTime('Desde cuándo, ISO 8601 en UTC.')
  creada_en: string;

  @ApiProperty({
    description: `Quién lo pidió. ${meaningsOf(BAJA_ORIGENES)}.`,
    enum: Object.keys(BAJA_ORIGENES),
    example: 'operador',
  })
  origen: BajaOrigen;
}

export class ListarBajasDto {
  @LimitField('Bajas')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export class ListaDeBajasDto extends PaginaDto {
  @ApiProperty({ description: 'Las bajas, de la más reciente a la más antigua.', type: () => [BajaDto] })
  bajas: BajaDto[];
}

export class BajaHechaDto extends OkDto {}
