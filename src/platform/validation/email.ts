import { domainToASCII } from 'node:url';
import { isEmail } from 'class-validator';
import { check, TextField, type FieldOptions } from './fields.js';
import { normalizeText } from './text.js';

/** Characters that a mail server takes (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;

/** Mail servers that take other letters before the `@` (SMTPUTF8) are few. */
const RULES = { allow_utf8_local_part: false, blacklisted_chars: '"' };

const INVALID = 'No es un correo posible. Escríbalo como tienda@ejemplo.com.';

/** Lower case, and the domain as mail servers know it: `ñandú.example` is `xn--and-6ma2c.example`. */
function spelled(text: string): string | undefined {
  const [, name, domain] = /^(.*)@([^@]*)$/s.exec(normalizeText(text)?.toLowerCase() ?? '') ?? [];
  // A domain that is none is left for the rules.
  return name === undefined ? normalizeText(text) : `${name}@${domainToASCII(domain!) || domain!}`;
}

const isValid = (address: string) => address.length <= MAX_EMAIL_LENGTH && isEmail(address, RULES);

/** An address of mail as it is stored; undefined for a text that is none. */
export function toEmail(text: string): string | undefined {
  const address = spelled(text);
  return address !== undefined && isValid(address) ? address : undefined;
}

/** An address of mail, in one spelling. */
export function EmailField(options: FieldOptions): PropertyDecorator {
  const rule = check('formato', isValid, INVALID);
  return TextField({ ...options, max: MAX_EMAIL_LENGTH, read: spelled }, rule);
}
