import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Recipient } from '../notifications/messages/recipient.js';
import { phoneVariants } from '../notifications/messages/phone-variants.js';

const OUT = new Set([
  'BAJA',
  'STOP',
  'ALTO',
  'CANCELAR',
  'NO MOLESTAR',
  'UNSUBSCRIBE',
  'DAR DE BAJA',
  'DARME DE BAJA',
]);
const IN = new Set(['ALTA', 'START']);

/** UTF-16 units, with blanks and marks. Joining accents takes time quadratic in the marks of a letter. */
const MAX_LENGTH = 200;

/** Whether a text is an opt-out or an opt-in, and nothing else. */
export function readOptOut(text: string): 'baja' | 'alta' | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const plain = text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\p{L}\s]/gu, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toUpperCase();
  if (OUT.has(plain)) return 'baja';
  return IN.has(plain) ? 'alta' : undefined;
}

/** People who opted out of messages. */
@Injectable()
export class OptOutsService {
  constructor(private readonly database: Database) {}

  async isOptedOut(person: Recipient): Promise<boolean> {
    const text = 'select from bajas where destinatario = any ($1) limit 1';
    const { rowCount } = await this.database.query({ text, values: [namesOf(person)] });
    return rowCount === 1;
  }

  /** Records a wish for every number and id of the person. */
  async set(person: Recipient, wish: 'baja' | 'alta'): Promise<void> {
    const text =
      wish === 'baja'
        ? 'insert into bajas (destinatario, creada_en) select unnest($1::text[]), now() on conflict do nothing'
        : 'delete from bajas where destinatario = any ($1)';
    await this.database.query({ text, values: [namesOf(person)] });
  }
}

function namesOf({ telefono, usuario }: Recipient): string[] {
  return [...(telefono === null ? [] : phoneVariants(telefono)), ...(usuario === null ? [] : [usuario])];
}
