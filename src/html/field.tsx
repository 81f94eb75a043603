import type { ComponentChildren } from 'preact';
import type { FieldError } from '../errors/app-error.js';

interface FieldProps {
  label: string;
  name: string;
  /** The text that was typed, or that is stored. */
  value?: string | undefined;
  /** Of the whole form. */
  faults: readonly FieldError[];
  isDate?: boolean;
  required?: boolean;
  maxLength?: number;
  /** Another element in place of an input. */
  children?: (attributes: {
    name: string;
    'aria-invalid'?: true;
    'aria-describedby'?: string;
  }) => ComponentChildren;
}

/** A field of a form with its label, and its fault below it. */
export function Field({ label, name, value, faults, isDate, required, maxLength, children }: FieldProps) {
  const fault = faults.find(({ campo }) => campo === name);
  const id = `falta-${name}`;
  const attributes = { name, ...(fault && { 'aria-invalid': true as const, 'aria-describedby': id }) };
  return (
    <label>
      {label}
      {children?.(attributes) ?? (
        <input
          {...attributes}
          {...(isDate ? { type: 'date' as const } : { type: 'text' as const })}
          value={value}
          required={required}
          maxLength={maxLength}
        />
      )}
      {fault && (
        <span id={id} class="fault">
          {fault.mensaje.replaceAll('`', '')}
        </span>
      )}
    </label>
  );
}
