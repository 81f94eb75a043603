import { isIP } from 'node:net';
import { parseUrl } from '../../validation/parse-url.js';
import { isPublicAddress } from '../../outbound/public-address.js';

/** Characters of a URL, as it was given and as it is kept. */
const MAX_CHARACTERS = 2_048;

/** What is wrong with a URL: a sentence for whoever gave it. */
export const URL_FAULTS = {
  largo: `Puede tener hasta ${MAX_CHARACTERS} caracteres.`,
  https: 'Debe ser una dirección completa que empiece con https://.',
  http: 'Debe ser una dirección completa que empiece con https:// o http://.',
  usuario: 'No puede llevar usuario ni contraseña: cada entrega va firmada.',
  fragmento: 'No puede llevar un fragmento (lo que sigue a «#»).',
  privada: 'Debe estar en la internet pública: no puede ser una dirección privada ni la del propio equipo.',
} as const;

/** A URL that may be used, in the one spelling to keep; or why not. */
export type WebhookUrl = { readonly href: string } | { readonly fault: string };

/**
 * Decides whether a merchant's URL may be used. What a name stands for is seen at each delivery only.
 * @param allowPrivate for networks of the operator's own: plain http and private addresses too.
 */
export function readWebhookUrl(text: string, allowPrivate = false): WebhookUrl {
  const fault = faultOf(text, allowPrivate);
  return fault === undefined ? { href: new URL(text).href } : { fault: URL_FAULTS[fault] };
}

function faultOf(text: string, allowPrivate: boolean): keyof typeof URL_FAULTS | undefined {
  if (text.length > MAX_CHARACTERS) return 'largo';
  const url = parseUrl(text);
  const isHttp = url?.protocol === 'https:' || (allowPrivate && url?.protocol === 'http:');
  if (!url || !isHttp) return allowPrivate ? 'http' : 'https';
  if (url.username !== '' || url.password !== '') return 'usuario';
  // Also an empty one, which `hash` does not show.
  if (url.href.includes('#')) return 'fragmento';
  if (!allowPrivate && isLocal(url.hostname)) return 'privada';
  return url.href.length > MAX_CHARACTERS ? 'largo' : undefined;
}

/** Of a host as `URL` gives it: every spelling of an address has become the usual one there. */
function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
}
