import { ApiProperty } from '@nestjs/swagger';
import { ApiGuiaNumero, ApiId, ApiRepetition } from '../../platform/openapi/answer-fields.js';
import { OkDto } from '../../platform/openapi/answer.dto.js';

export class CobroCorregidoDto extends OkDto {
  @ApiGuiaNumero()
  guia: string;

  @ApiId('Identificador de la guía.', 'guia')
  id: string;

  @ApiId('Identificador del evento `guia.cobro_corregido`.', 'evento')
  evento: string;

  @ApiProperty({ description: 'Orden entre los eventos de la guía.', type: 'integer', example: 7 })
  secuencia: number;

  @ApiProperty({ description: 'Lo que se cobró, corregido.', minimum: 0, example: 340 })
  cod_cobrado: number;

  @ApiRepetition('Solo en una repetición con la misma `ref`: no se registró nada nuevo.')
  duplicado?: true;
}
