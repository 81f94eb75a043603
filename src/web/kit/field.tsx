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
  const why = faultOf(typed, name) ?? note;
  const isWrong = why !== note;
  const attributes = { name, ...(why !== undefined && describedBy(name, isWrong)) };
  const limits = { required: props.required, maxLength: props.maxLength };
  return (
    <label class={isWrong ? 'field bad' : why === undefined ? 'field' : 'field care'}>
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
      <Why name={name} text={why} />
    </label>
  );
}

/** The fault of a field. */
const faultOf = (typed: TypedForm | undefined, name: string) =>
  typed?.faults.find(({ campo }) => campo === name)?.mensaje.replaceAll('`', '');

/** Attributes of a field with a text below it; the list of faults leads to its id. */
const describedBy = (name: string, isWrong: boolean) => ({
  'aria-describedby': `falta-${name}`,
  ...(isWrong && { id: `campo-${name}`, 'aria-invalid': true as const }),
});

const Why = ({ name, text }: { name: string; text: string | undefined }) =>
  text === undefined ? null : (
    <span id={`falta-${name}`} class="why">
      <Icon name="alert" /> {text}
    </span>
  );

/** A check box of a form, whose value is `si`. */
export function Check({ label, name, typed }: Pick<FieldProps, 'label' | 'name' | 'typed'>) {
  const fault = faultOf(typed, name);
  return (
    <div class={fault === undefined ? undefined : 'field bad'}>
      <label class="row">
        <input
          type="checkbox"
          name={name}
          value="si"
          checked={typed?.fields[name] === 'si'}
          {...(fault !== undefined && describedBy(name, true))}
        />
        {label}
      </label>
      <Why name={name} text={fault} />
    </div>
  );
}

interface ChoicesProps extends Pick<FieldProps, 'label' | 'name' | 'typed' | 'required'> {
  /** `checkbox` where several may be chosen. */
  type: 'radio' | 'checkbox';
  options: readonly (readonly [value: string, name: string])[];
  chosen: readonly (string | undefined)[];
}

/** Choices of a form, all to be seen. */
export function Choices({ label, name, typed, required, type, options, chosen }: ChoicesProps) {
  const fault = faultOf(typed, name);
  return (
    <fieldset class={fault === undefined ? 'field' : 'field bad'}>
      <legend>{label}</legend>
      {options.map(([value, text], n) => {
        const { id, ...described } = describedBy(name, fault !== undefined);
        return (
          <label class="row">
            <input
              {...{ type, name, value, required }}
              checked={chosen.includes(value)}
              {...(fault !== undefined && { ...described, ...(n === 0 && { id }) })}
            />
            {text}
          </label>
        );
      })}
      <Why name={name} text={fault} />
    </fieldset>
  );
}

const AUTOCOMPLETE: Record<string, string> = { password: 'current-password', email: 'email' };

/** As of a text: the attributes of all types are the same here. */
const textInput = (type: string) => ({ type, autocomplete: AUTOCOMPLETE[type] }) as { type: 'text' };
