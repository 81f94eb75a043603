import { getCountryCallingCode, type CountryCode } from 'libphonenumber-js';
import type { Scope } from '../../../auth/keys/scopes.js';
import type { AppError, FieldError } from '../../../platform/errors/app-error.js';
import { ERRORS, type ErrorCode } from '../../../platform/errors/error-codes.js';
import type { Form } from '../../../platform/http/form-texts.js';
import { SUBSCRIBER_LENGTHS } from '../../../platform/validation/subscriber-lengths.js';

export const SCOPE_NAMES: Partial<Record<Scope, string>> = {
  'guias:leer': 'ver guías, cobros y etiquetas',
  'guias:escribir': 'crear, cambiar y cancelar guías',
  webhooks: 'administrar webhooks',
  claves: 'hacer claves',
};

/** In place of details that tell a program what to send. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  cursor_invalido:
    'Esa parte de la lista ya no se puede abrir. Vuelva a la lista y empiece desde el principio.',
  version_obsoleta:
    'No se guardó: la guía cambió mientras usted la editaba. Revise los campos marcados y guarde otra vez.',
  metodo_no_permitido: 'Esa dirección no se abre así. Vuelva al inicio.',
  tipo_no_soportado: 'La página no entendió lo que se envió. Vuelva a la página y repítalo desde ahí.',
  json_invalido: 'La página no entendió lo que se envió. Vuelva a la página y repítalo desde ahí.',
  cuerpo_demasiado_grande:
    'Lo que envió es demasiado grande. Un archivo puede tener hasta 5 MiB: divídalo en dos y súbalos por separado.',
  demasiadas_solicitudes: 'Hubo demasiadas solicitudes. Espere un minuto y vuelva a intentar.',
  no_disponible:
    'El servicio no responde ahora. Espere un momento; antes de repetir algo, vea si ya quedó hecho.',
  error_interno:
    'Es una falla nuestra. Antes de repetir lo que hacía, vea si ya quedó hecho. Si sigue, dé a soporte el número de la solicitud.',
};

export function detailOf({ codigo, detail }: AppError): string {
  // Some limits say themselves what is too much.
  const isOwn = codigo === 'demasiadas_solicitudes' && detail !== ERRORS[codigo].detail;
  return (isOwn ? undefined : DETAILS[codigo]) ?? inWords(detail);
}

/** The API's names and verbs as a page has them. */
const WORDS: [name: RegExp, word: string][] = [
  [/`lat` y `lng`/g, 'la latitud y la longitud'],
  [/`maps_url`/g, 'el enlace del mapa'],
  [/\bEnvíe(?!lo)/g, 'Escriba'],
  [/\benvíe(?!lo)/g, 'escriba'],
  [/\bEnvíelo/g, 'Escríbalo'],
  [/`/g, ''],
];

function inWords(text: string): string {
  return WORDS.reduce((words, [name, word]) => words.replace(name, word), text);
}

const NO_PICKUP = 'Diga dónde se recoge: pegue el enlace del mapa, o escriba sus coordenadas.';

/** The faults of a form as its page says them. @param sent what was typed. @param country of the merchant. */
export function faultsOf(errores: readonly FieldError[], sent: Form, country: CountryCode): FieldError[] {
  return errores.map((fault) =>
    // Nothing says where it is; a wrong choice of a point is of its own field.
    fault.campo === 'recogida' && fault.codigo === 'requerido'
      ? { ...fault, campo: 'recogida.maps_url', mensaje: NO_PICKUP }
      : inPanelWords(fault, sent, country),
  );
}

/** A fault of one field as the panel says it. */
export function inPanelWords(fault: FieldError, sent: Form, country: CountryCode): FieldError {
  const length = fault.campo === 'telefono' ? phoneLengthFault(sent.telefono ?? '', country) : undefined;
  return { ...fault, mensaje: length ?? inWords(fault.mensaje) };
}

const LOCAL_PHONE = /^[\d\s().–-]+$/;

/** More digits are no single number. */
const MAX_DIGITS = 13;

/** Says how many digits a phone has and how many it needs; undefined where that is not its fault. */
export function phoneLengthFault(text: string, country: CountryCode): string | undefined {
  const code = `+${getCountryCallingCode(country)}`;
  const local = text.trim().startsWith(code) ? text.trim().slice(code.length) : text;
  const digits = local.replace(/\D/g, '').length;
  const lengths = SUBSCRIBER_LENGTHS[country];
  if (!LOCAL_PHONE.test(local) || digits === 0 || digits > MAX_DIGITS) return undefined;
  if (!lengths || lengths.includes(digits)) return undefined;
  const name = new Intl.DisplayNames('es', { type: 'region' }).of(country) ?? country;
  return `Tiene ${digits} ${digits === 1 ? 'dígito' : 'dígitos'}; en ${name} son ${lengths.join(' o ')}.`;
}
