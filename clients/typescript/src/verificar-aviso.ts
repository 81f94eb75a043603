import type { webhooks } from './api.js';

/** The body of a webhook: what happened to a guide or a settlement, or a test. */
export type Aviso = {
  [Evento in keyof webhooks]: webhooks[Evento]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** A webhook that is not to be believed: answer 401. */
export class AvisoInvalido extends Error {
  override readonly name = 'AvisoInvalido';
}

type Valor = string | readonly string[] | undefined;

/** Headers as `fetch`, Node and frameworks pass them; names in capitals or small letters. */
type Encabezados = Iterable<readonly [string, Valor]> | Record<string, Valor>;

/** The least that Standard Webhooks allows. */
const MIN_KEY_BYTES = 24;

interface VerifyOptions {
  /** Seconds by which the webhook's time may differ from this machine's; 300 by default. */
  toleranciaSegundos?: number;
}

/**
 * The content of a webhook (Standard Webhooks), once its signature is verified.
 * @param body as it arrived: not parsed, not formatted.
 * @param secreto `whsec_…`, which the webhook's creation returned.
 * @throws AvisoInvalido where the signature is missing or wrong, or the webhook is old.
 * @throws TypeError where `secreto`, `body` or `headers` is none, so that nothing can be verified: answer 500.
 */
export async function verificarAviso(
  body: string | Uint8Array,
  headers: Encabezados,
  secreto: string | undefined,
  { toleranciaSegundos = 300 }: VerifyOptions = {},
): Promise<Aviso> {
  const key = await importKey(secreto);
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new TypeError(
      'El cuerpo no es texto ni bytes: páselo tal como llegó, antes de que el framework lo lea como JSON.',
    );
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError('Faltan los `encabezados`: páselos como llegaron con la solicitud.');
  const valueOf = valuesOf(headers);
  const timestamp = valueOf('webhook-timestamp');
  // Neither is NaN, where it is no number, within the tolerance.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranciaSegundos))
    throw new AvisoInvalido('Falta su hora, o no es la de esta máquina.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${valueOf('webhook-id')}.${timestamp}.${text}`);
  for (const signature of valueOf('webhook-signature').split(' ')) {
    // After `v1,`. What another version puts there is no HMAC with this key.
    const bytes = fromBase64(signature.slice(3));
    // Web Crypto compares in constant time.
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text) as Aviso;
  }
  throw new AvisoInvalido('Falta la firma, o no es de este cuerpo con este secreto.');
}

/** Finds the value of a header, by its name in small letters; several are joined by blanks, as signatures are. */
function valuesOf(headers: Encabezados): (name: string) => string {
  const entries: Iterable<readonly [string, Valor]> =
    Symbol.iterator in headers ? (headers as Headers) : Object.entries(headers);
  const values = new Map(Array.from(entries, ([name, value]) => [name.toLowerCase(), value]));
  return (name) => [values.get(name) ?? ''].flat().join(' ');
}

/** The key is what the base64 after `whsec_` stands for, not its text. */
function importKey(secreto: string | undefined): Promise<CryptoKey> {
  const text = secreto?.trim();
  const bytes = text?.startsWith('whsec_') && fromBase64(text.slice(6));
  // With an empty key, anybody could sign.
  if (!bytes || bytes.length < MIN_KEY_BYTES)
    throw new TypeError(
      'Falta `secreto` (GUIAS_SECRETO), o no está completo: es el texto whsec_… que dio el registro del webhook.',
    );
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
