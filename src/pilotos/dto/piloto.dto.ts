import { ApiProperty } from '@nestjs/swagger';
import { PilotoNombradoDto } from '../../guias/dto/piloto-nombrado.dto.js';
import { MAX } from '../../guias/guia/limits.js';
import { ApiRepetition, ApiTime, ApiTimeOrNull, uuidParam } from '../../platform/openapi/answer-fields.js';
import { OkDto, PaginaDto } from '../../platform/openapi/answer.dto.js';
import { CursorField, LimitField } from '../../platform/pagination/page.fields.js';
import { BooleanField, PhoneField, TextField } from '../../platform/validation/fields.js';
import { QueryBooleanField } from '../../platform/validation/query.fields.js';
import type { Piloto } from '../piloto.entity.js';

export const PILOTO_PARAM = uuidParam('id', '`id` del piloto.');

export class CrearPilotoDto {
  @TextField({
    required: true,
    max: MAX.nombre,
    description: 'Nombre del piloto.',
    example: 'Marvin Xicará',
  })
  nombre: string;

  @PhoneField({
    isOfInstallation: true,
    description: 'Teléfono, en E.164 o en el formato local del país de la instalación.',
    example: '5555 8080',
  })
  telefono?: string;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description: 'Referencia propia: repetirla devuelve el piloto ya creado.',
    example: 'empleado-17',
  })
  ref?: string;
}

export class EditarPilotoDto {
  @TextField({
    required: 'when-sent',
    max: MAX.nombre,
    description: 'Nombre del piloto.',
    example: 'Marvin Xicará',
  })
  nombre?: string;

  @PhoneField({
    isOfInstallation: true,
    clearable: true,
    description: 'Teléfono, en E.164 o en el formato local del país de la instalación; null lo borra.',
    example: '5555 8080',
  })
  telefono?: string | null;

  @BooleanField({
    required: 'when-sent',
    description:
      'false: no se le asignan más guías, y su enlace deja de servir. true: se le asignan otra vez; para su página necesita un enlace nuevo.',
    example: false,
  })
  activo?: boolean;
}

export class ListarPilotosDto {
  @QueryBooleanField('Solo pilotos activos (`true`) o inactivos (`false`). Ejemplo: `true`.')
  activo?: string;

  @LimitField('Pilotos')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export class PilotoDto extends PilotoNombradoDto {
  @ApiProperty({
    description: 'Teléfono, en E.164; null si no se conoce.',
    type: String,
    nullable: true,
    example: '+50255558080',
  })
  telefono: string | null;

  @ApiProperty({ description: 'Si se le asignan guías, y puede usar su página.', example: true })
  activo: boolean;

  @ApiTime('Cuándo se creó, ISO 8601 en UTC.')
  creado_en: string;

  @ApiTimeOrNull('Último contacto de su página, ISO 8601 en UTC; null si nunca la abrió.')
  visto_en: string | null;
}

export const toPiloto = ({ id, nombre, telefono, activo, creado_en, visto_en }: Piloto): PilotoDto => ({
  id,
  nombre,
  telefono,
  activo,
  creado_en: creado_en.toISOString(),
  visto_en: visto_en?.toISOString() ?? null,
});

export class PilotoRespuestaDto extends OkDto {
  @ApiProperty({ description: 'El piloto.' })
  piloto: PilotoDto;
}

export class PilotoCreadoDto extends PilotoRespuestaDto {
  @ApiRepetition('Solo en una repetición con la misma `ref`: no se creó nada nuevo.')
  duplicado?: true;
}

export class ListaDePilotosDto extends PaginaDto {
  @ApiProperty({ description: 'Los pilotos, del más reciente al más antiguo.', type: () => [PilotoDto] })
  pilotos: PilotoDto[];
}
