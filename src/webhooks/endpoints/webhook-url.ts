import { isIP } from 'node:net';
import { parseUrl } from '../../platform/config/parse-url.js';
import { isPublicAddress } from '../../platform/outbound/public-address.js';

/** Characters of a URL, both as given and as stored. */
export const MAX_URL = 2_048;

/** The first unprivileged port. Below it only 443 is allowed, to exclude mail, SSH and other system services. */
const FIRST_FREE_PORT = 1_024;

/** The first refusal that a developer sees who tries webhooks on their own machine. */
const HOW_TO_ALLOW = 'Para probar en su propio equipo, inicie el servicio con `WEBHOOK_ALLOW_PRIVATE=true`.';

/** Why a URL is refused, for whoever gave it. */
export const URL_FAULTS = {
  tooLong: `Puede tener hasta ${MAX_URL} caracteres.`,
  notHttps: `Debe ser una dirección completa que empiece con https://. ${HOW_TO_ALLOW}`,
  notHttp: 'Debe ser una dirección completa que empiece con https:// o http://.',
  credentials: 'No puede llevar usuario ni contraseña: cada entrega va firmada.',
  fragment: 'No puede llevar un fragmento (lo que sigue a «#»).',
  notPublic: `Debe estar en la internet pública: no puede ser una dirección privada ni la del propio equipo. ${HOW_TO_ALLOW}`,
  port: `El puerto debe ser 443, el de https, o uno desde ${FIRST_FREE_PORT}.`,
} as const;

/**
 * Decides whether messages may be sent to a URL. The addresses of a host name are checked at each delivery.
 * @param allowPrivate allows plain http, private addresses and all ports, for endpoints in the operator's own network.
 * @returns the URL in its normal form, or why it is refused.
 */
export function readWebhookUrl(
  text: string,
  allowPrivate = false,
): { readonly href: string } | { readonly fault: string } {
  const fault = faultOf(text, allowPrivate);
  return fault === undefined ? { href: new URL(text).href } : { fault: URL_FAULTS[fault] };
}

function faultOf(text: string, allowPrivate: boolean): keyof typeof URL_FAULTS | undefined {
  if (text.length > MAX_URL) return 'tooLong';
  const url = parseUrl(text);
  const isHttp = url?.protocol === 'https:' || (allowPrivate && url?.protocol === 'http:');
  if (!url || !isHttp) return allowPrivate ? 'notHttp' : 'notHttps';
  if (url.username !== '' || url.password !== '') return 'credentials';
  // Not `url.hash`: that is empty for an empty fragment.
  if (url.href.includes('#')) return 'fragment';
  if (!allowPrivate && isLocal(url.hostname)) return 'notPublic';
  // Empty for 443, the default of https.
  if (!allowPrivate && url.port !== '' && Number(url.port) < FIRST_FREE_PORT) return 'port';
  return url.href.length > MAX_URL ? 'tooLong' : undefined;
}

/** @param hostname from `URL`, which normalises every notation of an address. */
function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
}
