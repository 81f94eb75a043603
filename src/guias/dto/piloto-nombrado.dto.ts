import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '../../platform/openapi/answer-fields.js';
import { MAX } from '../guia/limits.js';

/** A driver, as other answers to operators name it. */
export class PilotoNombradoDto {
  @ApiId('Identificador del piloto.', 'piloto')
  id: string;

  @ApiProperty({ description: 'Nombre del piloto.', maxLength: MAX.nombre, example: 'Marvin Xicará' })
  nombre: string;
}

/** @param id null for nobody. @param nombre null of a driver only where `id` is. */
export function toPilotoNombrado(id: string | null, nombre: string | null): PilotoNombradoDto | null {
  return id === null ? null : { id, nombre: nombre! };
}
