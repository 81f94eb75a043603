import { ApiGuiaEstado } from '../../guias/dto/estado-field.js';
import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import { ApiProperty } from '@nestjs/swagger';
import { ApiGuiaNumero, ApiId, ApiRepetition } from '../../platform/openapi/answer-fields.js';
import { OkDto } from '../../platform/openapi/answer.dto.js';

export class EstadoCorregidoDto extends OkDto {
  @ApiGuiaNumero()
  guia: string;

  @ApiId('Identificador de la guía.', 'guia')
  id: string;

  @ApiId('Identificador del evento `guia.estado_corregido`.', 'evento')
  evento: string;

  @ApiProperty({ description: 'Orden entre los eventos de la guía.', type: 'integer', example: 7 })
  secuencia: number;

  @ApiGuiaEstado('Estado en el que la guía está otra vez.', { example: 'en_ruta' })
  estado: GuiaEstado;

  @ApiGuiaEstado('Estado que se deshizo.', { example: 'entregado' })
  estado_anterior: GuiaEstado;

  @ApiRepetition('Solo en una repetición con la misma `ref`: no se deshizo nada más.')
  duplicado?: true;
}
