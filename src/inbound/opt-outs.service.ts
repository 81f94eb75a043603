import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Recipient } from '../notifications/messages/open-requests.service.js';
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

/** What a text asks for, where it asks for nothing else: to get no more messages, or to get them again. */
export function readOptOut(text: string): 'baja' | 'alta' | undefined {
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

/** Who wants no messages. */
@Injectable()
export class OptOutsService {
  constructor(private readonly database: Database) {}

  async has(person: Recipient): Promise<boolean> {
    const text = 'select from bajas where destinatario = any ($1) limit 1';
    const { rowCount } = await this.database.query({ text, values: [namesOf(person)] });
    return rowCount === 1;
  }

  /** Under every number and id the person may be written to. */
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
