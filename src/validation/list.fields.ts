import { applyDecorators } from '@nestjs/common';
import { listed } from './dto-fields.js';
import { check, field, type FieldOptions } from './fields.js';

/** A list of plain values; the rules say how many, and what each may be. */
export function ListField(
  options: FieldOptions & {
    items: { type: 'string'; enum?: string[] };
    max: number;
    read?: (list: unknown[]) => unknown[];
  },
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const { items, max, read } = options;
  return applyDecorators(
    field(
      options,
      { type: 'array', items, minItems: 1, maxItems: max },
      (value) => (read && Array.isArray(value) ? read(value) : value),
      check('tipo', (value) => Array.isArray(value), 'Debe ser una lista.'),
      ...rules,
    ),
    listed(),
  );
}

/** A list of one or more of `values`; duplicates are removed. */
export function ChoicesField(options: FieldOptions & { values: readonly string[] }): PropertyDecorator {
  const { values } = options;
  return ListField(
    {
      ...options,
      items: { type: 'string', enum: [...values] },
      max: values.length,
      read: (list) => [...new Set(list)],
    },
    check('fuera_de_rango', (list: unknown[]) => list.length > 0, 'Debe tener al menos un elemento.'),
    check(
      'formato',
      (list: string[]) => list.every((one) => values.includes(one)),
      `Cada uno debe ser: ${values.join(', ')}.`,
    ),
  );
}
