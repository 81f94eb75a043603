import { ApiProperty } from '@nestjs/swagger';
import { meaningsOf } from '../../openapi/answer-fields.js';
import { PAGO_CODES, PAGOS, type Pago } from '../pago.js';

/** How an amount was paid, in an answer. */
export const ApiPago = (description: string, { example }: { example: Pago | null }): PropertyDecorator =>
  ApiProperty({
    description: `${description} ${meaningsOf(PAGOS)}.`,
    enum: PAGO_CODES,
    enumName: 'Pago',
    nullable: true,
    example,
  });
