import { ApiProperty } from '@nestjs/swagger';
import { GUIA_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';

/** The state of a guide in an answer. */
export const ApiGuiaEstado = (
  description: string,
  options: { example: GuiaEstado; nullable?: true },
): PropertyDecorator => ApiProperty({ description, enum: GUIA_ESTADOS, enumName: 'GuiaEstado', ...options });
