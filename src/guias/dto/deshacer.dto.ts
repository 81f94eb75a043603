import { TextField } from '../../platform/validation/fields.js';
import { AjustarField } from './ajustar.field.js';
import { MAX } from '../guia/limits.js';

export class DeshacerDto {
  @TextField({
    required: true,
    max: MAX.nota,
    multiline: true,
    description: 'Por qué se deshace; el comercio lo ve.',
    example: 'Se marcó otra guía',
  })
  motivo: string;

  @AjustarField()
  ajustar?: boolean;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description: 'Referencia propia: repetirla para la misma guía no deshace nada más.',
    example: 'ruta-7-parada-3-deshecha',
  })
  ref?: string;
}
