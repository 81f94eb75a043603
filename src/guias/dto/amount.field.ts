import { NumberField, type FieldOptions } from '../../platform/validation/fields.js';
import { MAX, maxAmount, USUAL_MAX_AMOUNT } from '../guia/limits.js';

type AmountOptions = FieldOptions & { default?: number };

/** An amount to collect, or collected, in the merchant's currency; of an unknown one, up to the limit of any. */
export function AmountField(options: AmountOptions, ...rules: PropertyDecorator[]): PropertyDecorator {
  const limits = { min: 0, max: MAX.cod_amount, decimals: 2, limitOf };
  const description = `${options.description} Hasta ${USUAL_MAX_AMOUNT}; en COP, CLP, PYG, CRC y ARS, hasta ${MAX.cod_amount}.`;
  return NumberField({ ...options, ...limits, description }, ...rules);
}

const limitOf = ({ currency }: { currency?: string }) =>
  currency === undefined ? MAX.cod_amount : maxAmount(currency);
