import { ApiProperty } from '@nestjs/swagger';
import { ApiTime } from '../../platform/openapi/answer-fields.js';
import { OkDto } from '../../platform/openapi/answer.dto.js';
import { OptionalBody } from '../../platform/validation/dto-fields.js';
import { NumberField } from '../../platform/validation/fields.js';

/** h; a working day, and a week. */
export const LINK_H = 16;
const MAX_LINK_H = 168;

@OptionalBody()
export class HacerEnlaceDto {
  @NumberField({
    min: 1,
    max: MAX_LINK_H,
    decimals: 0,
    default: LINK_H,
    description: 'Horas durante las que el enlace sirve.',
    example: LINK_H,
  })
  horas?: number;
}

export class EnlaceDePilotoDto extends OkDto {
  @ApiProperty({
    description: 'La página del piloto; quien tiene el enlace ve sus guías. Se muestra solo aquí.',
    format: 'uri',
    example: 'https://guias.example.com/r/Qm9kZWdhIGNlbnRyYWwgem9uYSA0LCBHdWF0ZW1hbGEgdiE',
  })
  enlace: string;

  @ApiTime('Hasta cuándo sirve, ISO 8601 en UTC.', '2026-11-22T07:04:05.123Z')
  vence_en: string;
}
