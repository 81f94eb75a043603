import { parseUrl } from './parse-url.js';

export const SMTP_URL_RULE =
  'must be smtp://HOST:PORT, or smtps:// for TLS from the first byte, without a path; with user and password percent-encoded before the host (a % is %25)';

/** The ports of servers that name none: submission, and submission over TLS. */
const PORT = 587;
const TLS_PORT = 465;

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether TLS begins with the connection; else it begins with STARTTLS where the server has it. */
  readonly isSecure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

/** Undefined for a text that is no SMTP_URL. */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = /^smtps?:\/\/./i.test(text) ? parseUrl(text) : undefined;
  if (!url || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    return undefined;
  const isSecure = url.protocol === 'smtps:';
  try {
    const [user, pass] = [url.username, url.password].map(decodeURIComponent);
    return {
      host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (isSecure ? TLS_PORT : PORT),
      isSecure,
      auth: user ? { user, pass: pass ?? '' } : undefined,
    };
  } catch {
    // A % that encodes nothing.
    return undefined;
  }
}

export const MAIL_FROM_RULE = 'must be a mail address, alone or as in Name <address>';

export interface MailFrom {
  readonly address: string;
  /** Undefined where only the address is set. */
  readonly name: string | undefined;
}

/** Undefined for a text that is no MAIL_FROM. */
export function readMailFrom(text: string): MailFrom | undefined {
  const [, name, address = text] = /^([^<>\p{Cc}]{0,120})<([^<>]+)>$/u.exec(text) ?? [];
  if (!/^[^\s@<>",;:()[\]\\]{1,64}@[\p{L}\p{N}.-]{1,185}$/u.test(address)) return undefined;
  return { address, name: name?.trim().replace(/^"(.*)"$/, '$1') || undefined };
}
