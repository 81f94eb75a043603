import { ApiProperty } from '@nestjs/swagger';
import { isUuid } from '../../platform/database/row-id.js';
import { isGuiaNumero } from '../../guias/guia/guia-digits.js';
import type { SandboxMessage } from '../../notifications/messages/message-history.service.js';
import { messageText } from '../../notifications/messages/message-text.js';
import { MENSAJE_TIPOS, type MensajeTipo } from '../../notifications/providers/messaging-provider.js';
import { PaginaDto } from '../../platform/openapi/answer.dto.js';
import { CursorField, LimitField } from '../../platform/pagination/page.fields.js';
import { check } from '../../platform/validation/fields.js';
import { QueryField } from '../../platform/validation/query.fields.js';
import { ApiGuiaNumero, ApiId, ApiTime } from '../../platform/openapi/answer-fields.js';

export class ListarMensajesDePruebaDto {
  @QueryField(
    { description: 'Solo mensajes de esta guía: su `id` o su número.' },
    { type: String },
    check(
      'formato',
      (text: string) => isUuid(text) || isGuiaNumero(text),
      'Debe ser el `id` de una guía, o su número de 12 dígitos.',
    ),
  )
  guia?: string;

  @LimitField('Mensajes')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export class MensajeDePruebaDto {
  @ApiId('Identificador.', 'mensaje')
  id: string;

  @ApiProperty({ description: 'Para qué es.', enum: MENSAJE_TIPOS, example: 'confirmacion_ubicacion' })
  tipo: MensajeTipo;

  @ApiGuiaNumero()
  guia: string;

  @ApiId('`id` de la guía.', 'guia')
  guia_id: string;

  @ApiProperty({ description: 'A qué teléfono habría llegado, en E.164.', example: '+50255551234' })
  telefono: string;

  @ApiProperty({
    description: 'El mensaje entero, con su enlace.',
    example: messageText('confirmacion_ubicacion', {
      nombre: 'Ana',
      comercio: 'Zapatos Ana',
      guia: '483920175567',
      enlace: 'https://…',
    }),
  })
  texto: string;

  @ApiProperty({
    description:
      'La página en la que el destinatario confirma su ubicación; null si el mensaje no lleva enlace.',
    type: String,
    format: 'uri',
    nullable: true,
  })
  enlace: string | null;

  @ApiTime('Cuándo se creó, ISO 8601 en UTC.')
  creado_en: string;
}

export class ListaDeMensajesDePruebaDto extends PaginaDto {
  @ApiProperty({ description: 'Del más reciente al más antiguo.', type: () => [MensajeDePruebaDto] })
  mensajes: MensajeDePruebaDto[];
}

export function toMensajeDePrueba(message: SandboxMessage): MensajeDePruebaDto {
  const { id, tipo, guia, guia_id, telefono, texto, enlace, creado_en } = message;
  return { id, tipo, guia, guia_id, telefono, texto, enlace, creado_en };
}
