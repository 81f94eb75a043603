import { ApiProperty } from '@nestjs/swagger';
import { PilotoNombradoDto } from '../../guias/dto/piloto-nombrado.dto.js';
import { ApiGuiaNumero, ApiId, ID_EXAMPLES } from '../../platform/openapi/answer-fields.js';
import { OkDto } from '../../platform/openapi/answer.dto.js';
import { asSent, check, field, isText } from '../../platform/validation/fields.js';
import { ListField } from '../../platform/validation/list.fields.js';

/** Guides in one request. */
export const MAX_ASIGNADAS = 100;

export class AsignarDto {
  @field(
    {
      required: true,
      clearable: 'by-null',
      description: '`id` del piloto; null: de nadie.',
      example: ID_EXAMPLES.piloto,
    },
    { type: String, format: 'uuid' },
    asSent,
    isText,
  )
  piloto: string | null;

  @ListField(
    {
      required: true,
      items: { type: 'string' },
      max: MAX_ASIGNADAS,
      description: `De 1 a ${MAX_ASIGNADAS} guías, cada una por su \`id\` o por su número.`,
      example: ['483920175567'],
    },
    check(
      'fuera_de_rango',
      (list: unknown[]) => list.length >= 1 && list.length <= MAX_ASIGNADAS,
      `Debe tener entre 1 y ${MAX_ASIGNADAS} guías.`,
    ),
    check(
      'tipo',
      (list: unknown[]) => list.every((one) => typeof one === 'string'),
      'Cada una debe ser un texto: el `id` de la guía o su número, entre comillas.',
    ),
  )
  guias: string[];
}

export class AsignacionDto extends OkDto {
  @ApiGuiaNumero()
  guia: string;

  @ApiId('Identificador de la guía.', 'guia')
  id: string;

  @ApiProperty({
    description: 'El piloto que la lleva ahora; null si nadie.',
    type: () => PilotoNombradoDto,
    nullable: true,
  })
  piloto: PilotoNombradoDto | null;
}
