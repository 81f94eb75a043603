import type { FieldError } from '../../platform/errors/app-error.js';
import { fieldName } from './field-names.js';
import { Note } from './note.js';

interface FaultsProps {
  faults: readonly FieldError[];
  /** Why, where no field is at fault. */
  notice?: string;
  /** Before the list. */
  intro?: string;
}

/** Why a form was refused, above its page: it has the focus, and each fault leads to its field. */
export function Faults({ faults, notice = '', intro }: FaultsProps) {
  return (
    <Note tone="bad" role="alert" hasFocus>
      {intro}
      {notice || (
        <ul>
          {faults.map(({ campo, mensaje }) => (
            <li>
              <a href={`#campo-${campo}`}>{fieldName(campo)}</a>: {mensaje.replaceAll('`', '')}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}
