import { isIP } from 'node:net';
import { parseUrl } from '../../validation/parse-url.js';
import { isPublicAddress } from '../../outbound/public-address.js';

/** Characters of a URL, both as given and as stored. */
const MAX_CHARACTERS = 2_048;

/** Why a URL is refused, for whoever gave it. */
export const URL_FAULTS = {
  largo: `Puede tener hasta ${MAX_CHARACTERS} caracteres.`,
  https: 'Debe ser una dirección completa que empiece con https://.',
  http: 'Debe ser una dirección completa que empiece con https:// o http://.',
  usuario: 'No puede llevar usuario ni contraseña: cada entrega va firmada.',
  fragmento: 'No puede llevar un fragmento (lo que sigue a «#»).',
  privada: 'Debe estar en la internet pública: no puede ser una dirección privada ni la del propio equipo.',
} as const;

/** A URL in its normal form, or why it is refused. */
export type WebhookUrl = { readonly href: string } | { readonly fault: string };

/**
 * Decides whether messages may be sent to a URL. The addresses of a host name are checked at each delivery.
 * @param allowPrivate allows plain http and private addresses, for endpoints in the operator's own network.
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
  // Not `url.hash`: that is empty for an empty fragment.
  if (url.href.includes('#')) return 'fragmento';
  if (!allowPrivate && isLocal(url.hostname)) return 'privada';
  return url.href.length > MAX_CHARACTERS ? 'largo' : undefined;
}

/** @param hostname from `URL`, which normalises every notation of an address. */
function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
}
