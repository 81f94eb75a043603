import type { ComponentChildren } from 'preact';
import type { FieldError } from '../errors/app-error.js';

interface FieldProps {
  label: string;
  name: string;
  /** The text that was typed, or that is stored. */
  value?: string | undefined;
  /** Of the whole form. */
  faults: readonly FieldError[];
  /** Of the input. */
  type?: 'text' | 'date' | 'tel';
  inputMode?: 'decimal' | 'url';
  /** Whether its text may have several lines. */
  isLong?: boolean;
  required?: boolean;
  /** Why its text is to be looked at, though it may be right. */
  note?: string | undefined;
  /** Id of the `datalist` with suggestions. */
  list?: string;
  maxLength?: number;
  /** Another element in place of an input. */
  children?: (attributes: {
    name: string;
    'aria-invalid'?: true;
    'aria-describedby'?: string;
  }) => ComponentChildren;
}

/** A field of a form with its label, and its fault below it. */
export function Field(props: FieldProps) {
  const { label, name, value, faults, type = 'text', inputMode, isLong, list, children, ...rules } = props;
  const { note } = props;
  const fault = faults.find(({ campo }) => campo === name);
  const id = `falta-${name}`;
  const attributes = {
    name,
    ...(fault && { 'aria-invalid': true as const }),
    ...((fault ?? note) !== undefined && { 'aria-describedby': id }),
  };
  const limits = { required: rules.required, maxLength: rules.maxLength };
  const input = isLong ? (
    <textarea {...attributes} {...limits} rows={2}>
      {value}
    </textarea>
  ) : (
    <input
      {...attributes}
      {...limits}
      {...textInput(type)}
      {...(list !== undefined && { list })}
      inputMode={inputMode}
      value={value}
    />
  );
  return (
    <label>
      {label}
      {children?.(attributes) ?? input}
      {fault && (
        <span id={id} class="fault">
          {fault.mensaje.replaceAll('`', '')}
        </span>
      )}
      {!fault && note !== undefined && (
        <span id={id} class="doubt">
          {note}
        </span>
      )}
    </label>
  );
}

/** Typed so that each type has the attributes of its own element. */
function textInput(type: 'text' | 'date' | 'tel') {
  if (type === 'date') return { type: 'date' as const };
  return type === 'tel' ? { type: 'tel' as const } : { type: 'text' as const };
}
