import { SendError, type Failure, type SendFailure } from '../messaging-provider.js';

/** Cause and advice, in Spanish for support. The code is put between the two. */
interface Meaning {
  kind: SendFailure;
  problem: string;
  remedy: string;
}

/** WhatsApp accepts one message to the same person every six seconds. */
const PAIR_WAIT_MS = 6_000;
const PAIR_RATE = 131056;

const LATER = 'Reintente más tarde.';
const RATE = 'Los envíos siguen solos más tarde.';
const OTHER_TEMPLATE =
  'Mejórela en el administrador de WhatsApp, o ponga otra en WHATSAPP_TEMPLATE y reinicie.';
const SEE_ACCOUNT = 'Revise la cuenta en el administrador de WhatsApp.';
const REPORT = 'Contacte al destinatario por otro medio y avise al equipo técnico.';

/** By Meta's code, which says more than the HTTP status; a `failed` status has only the code. */
const MEANINGS = new Map<number, Meaning>([
  ...mean('transient', [1, 2, 131000, 131016], 'WhatsApp tiene una falla temporal', LATER),
  ...mean('transient', [131057], 'La cuenta de WhatsApp está en mantenimiento', LATER),
  ...mean('transient', [133004], 'El servicio de WhatsApp no está disponible por ahora', LATER),
  ...mean('transient', [PAIR_RATE], 'Se enviaron muchos mensajes seguidos a este número', LATER),

  ...mean('rate', [4, 80007], 'La cuenta de WhatsApp llegó a su límite de peticiones', RATE),
  ...mean('rate', [130429], 'El número de WhatsApp llegó a su límite de mensajes por segundo', RATE),

  ...mean(
    'config',
    [0, 190],
    'El token de WhatsApp venció o no es válido',
    'Ponga uno nuevo en WHATSAPP_TOKEN y reinicie.',
  ),
  ...mean(
    'config',
    [3, 10, 131005, ...range(200, 299)],
    'El token de WhatsApp no tiene permiso para enviar mensajes',
    'Dele el permiso whatsapp_business_messaging, o ponga otro en WHATSAPP_TOKEN y reinicie.',
  ),
  ...mean(
    'config',
    [33],
    'WhatsApp no encuentra el número que envía',
    'Revise WHATSAPP_PHONE_NUMBER_ID, y que el token tenga acceso a él, y reinicie.',
  ),
  ...mean('config', [368, 131031], 'Meta bloqueó o restringió la cuenta de WhatsApp', SEE_ACCOUNT),
  ...mean('config', [131037], 'Meta no ha aprobado el nombre visible del número que envía', SEE_ACCOUNT),
  ...mean(
    'config',
    [131042],
    'La cuenta de WhatsApp tiene un problema de pago',
    'Revise el método de pago en el administrador de WhatsApp.',
  ),
  ...mean(
    'config',
    [131045, 133006, 133010],
    'El número que envía no está registrado en WhatsApp',
    'Regístrelo en el administrador de WhatsApp.',
  ),
  ...mean('config', [131048], 'Meta limitó el número que envía por quejas de spam', SEE_ACCOUNT),
  ...mean(
    'config',
    [132000, 132012],
    'La plantilla de WhatsApp no tiene los parámetros que se envían',
    'Apruebe la plantilla con el texto exacto de docs/messaging.md.',
  ),
  ...mean(
    'config',
    [132001],
    'La plantilla de WhatsApp no existe en ese idioma o no está aprobada',
    'Revise WHATSAPP_TEMPLATE y WHATSAPP_TEMPLATE_LANGUAGE y reinicie.',
  ),
  ...mean('config', [132007], 'La plantilla de WhatsApp incumple una política', SEE_ACCOUNT),
  ...mean('config', [132015], 'La plantilla de WhatsApp está en pausa por baja calidad', OTHER_TEMPLATE),
  ...mean('config', [132016], 'La plantilla de WhatsApp fue deshabilitada por baja calidad', OTHER_TEMPLATE),

  ...mean(
    'permanent',
    [131021],
    'El teléfono es el mismo que envía',
    'Confirme el teléfono con el comercio.',
  ),
  ...mean('permanent', [131026], 'El número no recibe WhatsApp', 'Confirme el teléfono con el comercio.'),
  ...mean(
    'permanent',
    [131030],
    'El número de prueba de Meta solo puede escribir a teléfonos autorizados',
    'Agregue el teléfono en el panel de Meta y reintente.',
  ),
  ...mean(
    'permanent',
    [131047],
    'Pasaron más de 24 horas desde el último mensaje del destinatario',
    'Espere a que vuelva a escribir.',
  ),
  ...mean(
    'permanent',
    [131049],
    'Meta retuvo el mensaje para no saturar al destinatario',
    'Reintente mañana, o contacte al destinatario por otro medio.',
  ),
  ...mean(
    'permanent',
    [130472],
    'El destinatario está en un experimento de Meta y no recibe este mensaje',
    'Contáctelo por otro medio.',
  ),
  ...mean(
    'permanent',
    [130497],
    'La cuenta de WhatsApp no puede escribir a ese país',
    'Contacte al destinatario por otro medio.',
  ),
  ...mean(
    'permanent',
    [131050],
    'El destinatario pidió no recibir mensajes',
    'Contáctelo por otro medio si lo autoriza.',
  ),
  ...mean('permanent', [131062], 'WhatsApp no entrega este mensaje sin el teléfono del destinatario', REPORT),
  ...mean(
    'permanent',
    [100, 131008, 131009, 131051, 132005, 135000],
    'WhatsApp no aceptó el contenido del mensaje',
    REPORT,
  ),
]);

function mean(kind: SendFailure, codes: number[], problem: string, remedy: string): [number, Meaning][] {
  return codes.map((code) => [code, { kind, problem, remedy }]);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** The cause, in Spanish for support; undefined for an unknown code. */
export function whatsappProblem(code: number): string | undefined {
  return MEANINGS.get(code)?.problem;
}

/**
 * Why the Cloud API refused a request, by the code in its answer, else by the HTTP status.
 * @param body parsed answer of any shape.
 */
export function refusalOf(status: number, body: unknown, retryAfterMs?: number): SendError {
  const code = codeOf((body as { error?: unknown } | null | undefined)?.error);
  if (code === undefined) return failure(meaningOfStatus(status), `HTTP ${status}`, code, retryAfterMs);
  // A 504 without a code comes from a gateway; with one, from WhatsApp itself.
  const meaning = MEANINGS.get(code) ?? meaningOfStatus(status === 504 ? 500 : status);
  return failure(meaning, String(code), code, retryAfterMs);
}

/** Why a message failed after it was accepted. @param errors the `errors` of a `failed` status, of any shape. */
export function failureOfErrors(errors: unknown): SendError {
  const codes = (Array.isArray(errors) ? errors : []).map(codeOf).filter((code) => code !== undefined);
  const code = codes.find((one) => MEANINGS.has(one)) ?? codes[0];
  const meaning = code === undefined ? undefined : MEANINGS.get(code);
  return failure(meaning ?? UNDELIVERED, code === undefined ? 'sin código' : String(code), code);
}

const TEMPLATE_CODES = ['132000', '132001', '132007', '132012', '132015', '132016'];

/**
 * Meaning of a failed message with the PIN's template: a fault of the template stops messages with it alone, where one
 * of the other template stops all.
 */
export function ofPinTemplate<F extends Failure>(failure: F): F | SendError {
  const { code, message } = failure;
  if (!TEMPLATE_CODES.includes(code)) return failure;
  return new SendError('permanent', message.replace('WHATSAPP_TEMPLATE ', 'WHATSAPP_PIN_TEMPLATE '), code);
}

const UNDELIVERED: Meaning = {
  kind: 'permanent',
  problem: 'WhatsApp no entregó el mensaje',
  remedy: 'Confirme el teléfono con el comercio y reintente.',
};

function failure(
  meaning: Meaning,
  label: string,
  code: number | undefined,
  retryAfterMs?: number,
): SendError {
  const { kind, problem, remedy } = meaning;
  const wait = code === PAIR_RATE ? Math.max(retryAfterMs ?? 0, PAIR_WAIT_MS) : retryAfterMs;
  const waits = kind === 'transient' || kind === 'rate';
  return new SendError(kind, `${problem} (${label}). ${remedy}`, label, waits ? wait : undefined);
}

function codeOf(error: unknown): number | undefined {
  const { code, error_subcode: subcode } = (error ?? {}) as { code?: unknown; error_subcode?: unknown };
  // "Object does not exist or you may not see it" is reported as an invalid parameter.
  if (code === 100 && subcode === 33) return 33;
  const number = typeof code === 'string' && /^\d{1,9}$/.test(code) ? Number(code) : code;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

function meaningOfStatus(status: number): Meaning {
  if (status === 429) return MEANINGS.get(130429)!;
  if (status === 401) return MEANINGS.get(190)!;
  if (status === 403) return MEANINGS.get(10)!;
  if (status === 504)
    return {
      kind: 'unknown',
      problem: 'WhatsApp no respondió a tiempo y pudo haber recibido el mensaje',
      remedy: 'Confirme si llegó antes de reintentar.',
    };
  if (status === 408 || status === 425 || status >= 500) return MEANINGS.get(2)!;
  if (status === 404 || (status >= 300 && status < 400))
    return {
      kind: 'config',
      problem: 'WhatsApp no está en esa dirección',
      remedy: 'Revise WHATSAPP_API_URL y WHATSAPP_PHONE_NUMBER_ID y reinicie.',
    };
  return { kind: 'permanent', problem: 'WhatsApp rechazó el mensaje', remedy: REPORT };
}
