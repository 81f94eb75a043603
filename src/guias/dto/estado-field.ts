import { ApiProperty } from '@nestjs/swagger';
import { GUIA_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';

export const ApiGuiaEstado = (
  description: string,
  options: { example: GuiaEstado; nullable?: true },
): PropertyDecorator => ApiProperty({ description, enum: GUIA_ESTADOS, enumName: 'GuiaEstado', ...options });
