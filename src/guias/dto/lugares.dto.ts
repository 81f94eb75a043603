import { ApiProperty } from '@nestjs/swagger';
import { OkDto } from '../../platform/openapi/answer.dto.js';
import { check } from '../../platform/validation/fields.js';
import { QueryField } from '../../platform/validation/query.fields.js';

export class ListarLugaresDto {
  @QueryField(
    { description: 'País, por su código ISO 3166; sin él, el del comercio. Ejemplo: `GT`.' },
    { type: String, pattern: '^[A-Z]{2}$' },
    check('formato', (pais: string) => /^[A-Z]{2}$/i.test(pais), 'Use el código de dos letras, como GT.'),
  )
  pais?: string;
}

class DepartamentoDto {
  @ApiProperty({ description: 'Nombre del departamento.', example: 'Guatemala' })
  nombre: string;

  @ApiProperty({
    description: 'Nombres de sus municipios, en orden alfabético.',
    type: [String],
    example: ['Mixco'],
  })
  municipios: string[];
}

export class LugaresDto extends OkDto {
  @ApiProperty({ description: 'El país, por su código ISO 3166.', example: 'GT' })
  pais: string;

  @ApiProperty({
    description: 'Sus departamentos; ninguno si no hay tabla de ese país.',
    type: () => [DepartamentoDto],
  })
  departamentos: DepartamentoDto[];
}
