import { isSupportedCountry } from 'libphonenumber-js';
import { isCurrency } from '../../../auth/merchants/currency.js';
import { DatosDeClave } from '../../../auth/keys/datos-de-clave.form.js';
import { MERCHANT_SCOPES, OPERATOR_SCOPES, type Scope } from '../../../auth/keys/scopes.js';
import { MAX } from '../../../guias/guia/limits.js';
import { capitalised } from '../../../platform/validation/text.js';
import { EmailField } from '../../../platform/validation/email.js';
import { check, ChoiceField, PhoneField, TextField } from '../../../platform/validation/fields.js';

/** Fields of a form are texts; an empty one counts as absent. */

const NOMBRE = { required: true as const, max: MAX.nombre, description: 'Nombre.' };
const CORREO = { description: 'Correo: ahí se le avisa, y con él entra al panel.' };
const upper = (text: string) => text.trim().toUpperCase() || undefined;

export class NuevoComercioForm {
  @TextField(NOMBRE)
  nombre: string;

  @TextField(
    {
      required: true,
      max: 2,
      read: upper,
      description: 'País (ISO 3166) de sus teléfonos en formato local.',
    },
    check('formato', (text: string) => isSupportedCountry(text), 'Escriba el código de dos letras, como GT.'),
  )
  pais: string;

  @TextField(
    { max: 3, read: upper, description: 'Moneda (ISO 4217); la del país, si falta.' },
    check('formato', (text: string) => isCurrency(text), 'Escriba el código de tres letras, como GTQ.'),
  )
  moneda?: string;

  @PhoneField({ description: 'WhatsApp del comercio; lo ven los destinatarios.' })
  telefono_contacto?: string;

  @EmailField(CORREO)
  correo?: string;
}

/** Changes of a merchant. An empty phone or address takes it away; without `con_pin` or `correo` that stays as it is. */
export class ComercioForm {
  @ChoiceField({ values: ['si', 'no'], description: 'Si la entrega pide el PIN del destinatario.' })
  con_pin?: 'si' | 'no';

  @TextField(NOMBRE)
  nombre: string;

  @PhoneField({ description: 'WhatsApp del comercio; lo ven los destinatarios.' })
  telefono_contacto?: string;

  @EmailField({ ...CORREO, clearable: true })
  correo?: string | null;
}

export class OperadorForm {
  @TextField(NOMBRE)
  nombre: string;
}

export const SCOPE_NAMES: Record<Scope, string> = {
  'guias:leer': 'ver guías',
  'guias:escribir': 'crear y cambiar guías',
  webhooks: 'avisos',
  claves: 'claves',
  operaciones: 'mover guías',
  'operaciones:leer': 'ver guías',
};

/** The choices of scopes of a key, by owner: all, or one that serves alone. */
export const SCOPES = {
  comercio: {
    todos: 'Todo',
    ...Object.fromEntries(
      MERCHANT_SCOPES.filter((scope) => scope !== 'claves').map((scope) => [
        scope,
        `Solo ${SCOPE_NAMES[scope]}`,
      ]),
    ),
  },
  operador: Object.fromEntries(OPERATOR_SCOPES.map((scope) => [scope, capitalised(SCOPE_NAMES[scope])])),
};

export class ClaveForm extends DatosDeClave {
  @ChoiceField({ values: ['real', 'prueba'], description: 'De prueba: sus guías no se entregan.' })
  modo?: 'real' | 'prueba';

  @ChoiceField({
    values: [...Object.keys(SCOPES.comercio), ...Object.keys(SCOPES.operador)],
    description: 'Qué puede.',
  })
  alcances?: string;
}

export class RotarForm {
  @ChoiceField({ required: true, values: ['0', '1', '24', '168'], description: 'Horas.' })
  horas: string;

  /** The key ends at once, whatever `horas` says. */
  @ChoiceField({ values: ['si'], description: 'Si la clave se filtró.' })
  filtrada?: 'si';
}
