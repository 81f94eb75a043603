import { ApiProperty } from '@nestjs/swagger';
import { check, ChoiceField } from '../../platform/validation/fields.js';
import { meaningsOf } from '../../platform/openapi/answer-fields.js';
import { PAGO_CODES, PAGOS, type Pago } from '../guia/pago.js';

/** How an amount was paid, in an answer. */
export const ApiPago = (description: string, { example }: { example: Pago | null }): PropertyDecorator =>
  ApiProperty({
    description: `${description} ${meaningsOf(PAGOS)}.`,
    enum: PAGO_CODES,
    enumName: 'Pago',
    nullable: true,
    example,
  });

/** How an amount was paid, in a request. */
export const PagoField = (
  { description, example }: { description: string; example: Pago },
  ...rules: PropertyDecorator[]
): PropertyDecorator =>
  ChoiceField(
    {
      values: PAGO_CODES,
      enumName: 'Pago',
      description: `${description} ${meaningsOf(PAGOS)}. Solo el efectivo entra en la caja del piloto; lo pagado directo no se cobra ni se liquida.`,
      example,
    },
    ...rules,
  );

/** Rule of a collected amount: of what is paid to the merchant nothing is collected. */
export const nothingIfDirect = check(
  'fuera_de_rango',
  (amount: number, { pago }) => pago !== 'directo' || amount === 0,
  'Con `pago` `directo` no se cobra nada: omítalo, o envíe 0.',
);
