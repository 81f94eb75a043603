import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';
import type { FieldError } from '../../platform/errors/app-error.js';

/** A form that was refused: what was typed into it, and what is wrong with it. */
export interface TypedForm {
  fields: Partial<Record<string, string>>;
  faults: readonly FieldError[];
}

interface FieldProps {
  label: string;
  name: string;
  /** The text at first; a form that was refused keeps what was typed. */
  value?: string | undefined;
  /** The form, once it was refused. */
  typed?: TypedForm | undefined;
  /** Of the input. */
  type?: 'text' | 'date' | 'datetime-local' | 'tel' | 'email' | 'password';
  inputMode?: 'decimal' | 'url';
  /** Whether its text may have several lines. */
  isLong?: boolean;
  required?: boolean;
  /** Why its text is to be looked at, though it may be right. */
  note?: string | undefined;
  /** Id of the `datalist` with suggestions. */
  list?: string;
  maxLength?: number;
  /** Whether its label is for screen readers alone: in a table, whose head says it. */
  isBare?: boolean;
  /** Makes it a choice, in this order. */
  options?: readonly (readonly [value: string, name: string])[];
  /** More below the input. */
  children?: ComponentChildren;
}

/** A field of a form with its label, and its fault below it. */
export function Field(props: FieldProps) {
  const {
    label,
    name,
    typed,
    type = 'text',
    inputMode,
    isLong,
    note,
    list,
    isBare,
    options,
    children,
  } = props;
  const value = typed?.fields[name] ?? props.value;
  const fault = typed?.faults.find(({ campo }) => campo === name);
  const id = `falta-${name}`;
  const attributes = {
    name,
    ...(fault && { 'aria-invalid': true as const }),
    ...((fault ?? note) !== undefined && { 'aria-describedby': id }),
    // The list of faults leads here.
    ...(fault && { id: `campo-${name}` }),
  };
  const limits = { required: props.required, maxLength: props.maxLength };
  return (
    <label class={fault ? 'field bad' : note === undefined ? 'field' : 'field care'}>
      {isBare ? <span class="vh">{label}</span> : label}
      {options ? (
        <select {...attributes}>
          {options.map(([one, text]) => (
            <option value={one} selected={one === value}>
              {text}
            </option>
          ))}
        </select>
      ) : isLong ? (
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
      )}
      {children}
      {fault && (
        <span id={id} class="why">
          <Icon name="alert" /> {fault.mensaje.replaceAll('`', '')}
        </span>
      )}
      {!fault && note !== undefined && (
        <span id={id} class="why">
          <Icon name="alert" /> {note}
        </span>
      )}
    </label>
  );
}

/** A check box of a form, whose value is `si`. */
export function Check({ label, name, typed }: Pick<FieldProps, 'label' | 'name' | 'typed'>) {
  const fault = typed?.faults.find(({ campo }) => campo === name);
  return (
    <div class={fault ? 'field bad' : undefined}>
      <label class="row">
        <input
          type="checkbox"
          name={name}
          value="si"
          checked={typed?.fields[name] === 'si'}
          {...(fault && { id: `campo-${name}`, 'aria-invalid': true, 'aria-describedby': `falta-${name}` })}
        />
        {label}
      </label>
      {fault && (
        <span id={`falta-${name}`} class="why">
          <Icon name="alert" /> {fault.mensaje}
        </span>
      )}
    </div>
  );
}

/** Typed so that each type has the attributes of its own element. */
function textInput(type: NonNullable<FieldProps['type']>) {
  if (type === 'date') return { type: 'date' as const };
  if (type === 'datetime-local') return { type: 'datetime-local' as const };
  if (type === 'password') return { type: 'password' as const, autocomplete: 'current-password' as const };
  if (type === 'email') return { type: 'email' as const, autocomplete: 'email' as const };
  return type === 'tel' ? { type: 'tel' as const } : { type: 'text' as const };
}
