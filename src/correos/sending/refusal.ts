import type { CorreoClase } from '../correo.entity.js';

/** The fields of nodemailer's errors that decide. */
interface SmtpError {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

export interface Refusal {
  /** In Spanish or in the server's words, without addresses. */
  causa: string;
  /** For the log; never what the server said. */
  code: string;
  isPermanent: boolean;
  /** Whether the server refused the address or the mail, and not us. */
  isOfAddress: boolean;
}

const MAX_CAUSA = 200;

/** Commands that are about the address and its mail; what a server refuses before is about us, and mended by us. */
const OF_ADDRESS = /^(RCPT TO|DATA)/;

/** Of such answers those that are about us still: a password is missing, or the server does not relay for us. */
const OF_US = /^530|relay/i;

/** Whether a failed try is repeated, and who is at fault. */
export function readRefusal(error: unknown): Refusal {
  const { code = 'desconocido', command = '', responseCode, response } = (error ?? {}) as SmtpError;
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return ours('El servidor de correo no acepta el usuario o la contraseña de SMTP_URL.', code);
  if (responseCode === undefined) return ours(`No hubo conexión con el servidor de correo (${code}).`, code);
  const causa = wordsOf(response ?? '') || `El servidor de correo respondió ${responseCode}.`;
  if (!OF_ADDRESS.test(command) || OF_US.test(response ?? '')) return ours(causa, `${code} ${responseCode}`);
  return { causa, code: `${code} ${responseCode}`, isPermanent: responseCode >= 500, isOfAddress: true };
}

const ours = (causa: string, code: string): Refusal => ({
  causa,
  code,
  isPermanent: false,
  isOfAddress: false,
});

/** A server's words on one line, without addresses, links (also those without `https:`) and numbers that may be phones. */
function wordsOf(response: string): string {
  const words = response
    .slice(0, 2_000)
    .split(/[\s\p{Cc}]+/u)
    .map((word) => (/@|\/.*\//.test(word) || word.replaceAll(/\D/g, '').length >= 7 ? '…' : word));
  const text = words.join(' ').trim();
  return text.length <= MAX_CAUSA ? text : `${text.slice(0, MAX_CAUSA - 1)}…`;
}

/** Seconds before each retry: eight tries over about a day. */
const DELAYS_S = [5, 60, 300, 1_800, 7_200, 21_600, 50_400];

/** Milliseconds after which a link that signs in has ended. */
const LINK_MS = 900_000;

/** Fraction by which a delay varies either way. */
const JITTER = 0.2;

/**
 * Milliseconds until the next try; undefined when no try is left.
 * @param tries made so far, 1 or more. @param ageMs of the mail. @param random 0 to 1.
 */
export function retryDelay(
  { tries, clase, ageMs }: { tries: number; clase: CorreoClase; ageMs: number },
  random = Math.random(),
): number | undefined {
  const delay = DELAYS_S[tries - 1];
  if (delay === undefined) return undefined;
  const ms = Math.round(delay * 1_000 * (1 - JITTER + 2 * JITTER * random));
  return clase === 'entrada' && ageMs + ms > LINK_MS ? undefined : ms;
}
