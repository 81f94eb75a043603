import { check, TextField } from '../../platform/validation/fields.js';
import { MAX } from '../guia/limits.js';
import type { Pago } from '../guia/pago.js';
import { AjustarField } from './ajustar.field.js';
import { AmountField } from './amount.field.js';
import { nothingIfDirect, PagoField } from './pago.field.js';

export class CorregirCobroDto {
  @AmountField(
    { description: 'Lo que se cobró en verdad; obligatorio, salvo con `pago` `directo`.', example: 340 },
    check(
      'requerido',
      (amount, { pago }) => amount !== undefined || pago === 'directo',
      'Es obligatorio.',
      true,
    ),
    nothingIfDirect,
  )
  cod_cobrado?: number;

  @PagoField({
    description: 'Cómo se pagó en verdad; si no se dice, queda como estaba.',
    example: 'transferencia',
  })
  pago?: Pago;

  @TextField({
    max: MAX.nota,
    multiline: true,
    description: 'Por qué se corrige; el comercio la ve.',
    example: 'Faltaba el vuelto',
  })
  nota?: string;

  @AjustarField()
  ajustar?: boolean;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description: 'Referencia propia: repetirla para la misma guía no registra nada nuevo.',
    example: 'caja-22-correccion-1',
  })
  ref?: string;
}
