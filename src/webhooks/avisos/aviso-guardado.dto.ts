import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../platform/openapi/answer-fields.js';
import { OkDto } from '../../platform/openapi/answer.dto.js';
import { LimitField } from '../../platform/pagination/page.fields.js';
import { QueryField } from '../../platform/validation/query.fields.js';
import { WEBHOOK_EVENTO_NAMES } from '../endpoints/webhook-evento.js';

export class AvisoGuardadoDto {
  @ApiId('`webhook-id` del aviso.', 'mensaje')
  id: string;

  @ApiProperty({ description: 'El evento.', enum: WEBHOOK_EVENTO_NAMES, example: 'guia.creada' })
  tipo: string;

  @ApiTime('Cuándo ocurrió, ISO 8601 en UTC.')
  creado_en: string;

  @ApiProperty({ description: 'El cuerpo que se envía.', type: 'object', additionalProperties: true })
  cuerpo: object;
}

export class ListarAvisosDto {
  @LimitField('Avisos')
  limit?: string;

  @QueryField(
    {
      description:
        '`siguiente_cursor` de la respuesta anterior, tal cual. Sin él, desde el más antiguo que se guarda.',
    },
    { type: String },
  )
  cursor?: string;
}

export class ListaDeAvisosDto extends OkDto {
  @ApiProperty({ description: 'Del más antiguo al más reciente.', type: () => [AvisoGuardadoDto] })
  avisos: AvisoGuardadoDto[];

  @ApiProperty({
    description: 'Para pedir los que siguen, ahora o más tarde; llega siempre, también si no hay ninguno.',
    example: 'AaH-os8DfzqcRCuObw0aV3hKdiM0y6txBtacQHFJ',
  })
  siguiente_cursor: string;
}
