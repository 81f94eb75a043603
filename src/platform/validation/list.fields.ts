import type { DtoClass } from './dto-fields.js';
import { asSent, check, field, type FieldOptions } from './fields.js';

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
  return field(
    options,
    { type: 'array', items, minItems: 1, maxItems: max },
    { read: (value) => (read && Array.isArray(value) ? read(value) : value), list: 'values' },
    check('tipo', (value) => Array.isArray(value), 'Debe ser una lista.'),
    ...rules,
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

/** A batch: 1 to `max` objects of class `type`, kept as they were sent, because each is read and refused by itself. */
export function BatchField(
  type: () => DtoClass,
  options: { description: string; max: number },
): PropertyDecorator {
  const { description, max } = options;
  return field(
    { description, required: true },
    { type: () => [type()], minItems: 1, maxItems: max },
    { read: asSent, list: 'items' },
    check('tipo', (value) => Array.isArray(value), 'Debe ser una lista.'),
    check(
      'fuera_de_rango',
      (items: unknown[]) => items.length >= 1 && items.length <= max,
      `Debe tener entre 1 y ${max} elementos.`,
    ),
  );
}
