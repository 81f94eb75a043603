import { OptionalBody } from '../../platform/validation/dto-fields.js';
import { TextField } from '../../platform/validation/fields.js';
import { MAX } from '../guia/limits.js';

@OptionalBody()
export class CancelarGuiaDto {
  @TextField({
    max: MAX.nota,
    multiline: true,
    description: 'Por qué se cancela; queda en el historial.',
    example: 'El cliente ya no lo quiere',
  })
  nota?: string;
}
