import type { webhooks } from './api.js';

/** The body of a webhook: what happened to a guide or a settlement, or a test. */
export type Aviso = {
  [Evento in keyof webhooks]: webhooks[Evento]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** A webhook that is not to be believed: answer 401. */
export class AvisoInvalido extends Error {
  override readonly name = 'AvisoInvalido';
}

/** Headers as `fetch`, Node and frameworks pass them; names in lower case in a plain object. */
type Encabezados = Headers | Record<string, string | readonly string[] | undefined>;

interface VerifyOptions {
  /** Seconds by which the webhook's time may differ from this machine's; 300 by default. */
  toleranciaSegundos?: number;
}

/**
 * The content of a webhook (Standard Webhooks), once its signature is verified.
 * @param body as it arrived: not parsed, not formatted.
 * @param secreto `whsec_…`, which the webhook's creation returned.
 * @throws AvisoInvalido where the signature is missing or wrong, or the webhook is old.
 */
export async function verificarAviso(
  body: string | Uint8Array,
  headers: Encabezados,
  secreto: string,
  { toleranciaSegundos = 300 }: VerifyOptions = {},
): Promise<Aviso> {
  const valueOf = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const timestamp = valueOf('webhook-timestamp');
  // Neither is NaN, where it is no number, within the tolerance.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranciaSegundos))
    throw new AvisoInvalido('Falta su hora, o no es la de esta máquina.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${valueOf('webhook-id')}.${timestamp}.${text}`);
  const key = await importKey(secreto);
  for (const signature of valueOf('webhook-signature').split(' ')) {
    // After `v1,`. What another version puts there is no HMAC with this key.
    const bytes = fromBase64(signature.slice(3));
    // Web Crypto compares in constant time.
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text) as Aviso;
  }
  throw new AvisoInvalido('Falta la firma, o no es de este cuerpo con este secreto.');
}

/** The key is what the base64 after `whsec_` stands for, not its text. */
function importKey(secreto: string): Promise<CryptoKey> {
  const bytes = secreto.startsWith('whsec_') && fromBase64(secreto.slice(6));
  if (!bytes) throw new TypeError('El secreto empieza con whsec_');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
