import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { Secrets } from '../config/secrets.js';
import { Database } from '../database/database.js';
import { textTypes } from '../database/text-types.js';
import { MessagesService } from '../notifications/messages/messages.service.js';
import type { Recipient } from '../notifications/messages/recipient.js';
import { phoneVariants } from '../notifications/messages/phone-variants.js';
import { Page, type PageOf } from '../pagination/page.js';
import type { BajaOrigen } from './baja.entity.js';
import type { BajaDto } from './dto/baja.dto.js';

const OUT = new Set([
  'BAJA',
  'STOP',
  'ALTO',
  'CANCELAR',
  'QUITAR',
  'QUITENME',
  'BASTA',
  'NO MOLESTAR',
  'NO MOLESTEN',
  'UNSUBSCRIBE',
  'DAR DE BAJA',
  'DARME DE BAJA',
  'DENME DE BAJA',
  'QUIERO DARME DE BAJA',
  'NO ME ESCRIBAN',
  'NO ME ESCRIBA',
  'NO ME ESCRIBAS',
  'NO ESCRIBAN',
  'NO ESCRIBIR',
  'YA NO ME ESCRIBAN',
  'YA NO ESCRIBAN',
  'DEJEN DE ESCRIBIR',
  'DEJEN DE ESCRIBIRME',
  'DEJEN DE MOLESTAR',
  'NO QUIERO MENSAJES',
  'NO QUIERO RECIBIR MENSAJES',
  'YA NO QUIERO MENSAJES',
  'NO ENVIEN MENSAJES',
  'NO ME ENVIEN MENSAJES',
  'NO ME MANDEN MENSAJES',
  'NO MANDEN MENSAJES',
]);
const IN = new Set([
  'ALTA',
  'START',
  'DARME DE ALTA',
  'DENME DE ALTA',
  'SI QUIERO MENSAJES',
  'QUIERO MENSAJES',
]);

/** Words that change nothing. */
const FILLING = / (POR FAVOR|PORFAVOR|PORFA|PLEASE|GRACIAS|MAS|NUNCA)(?= )/g;

/** UTF-16 units, with blanks and marks. Joining accents takes time quadratic in the marks of a letter. */
const MAX_LENGTH = 200;

/** Whether a text is an opt-out or an opt-in, and nothing else. */
export function readOptOut(text: string): 'baja' | 'alta' | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const letters = text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\p{L}\s]/gu, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toUpperCase();
  const plain = ` ${letters} `.replace(FILLING, '').trim();
  if (OUT.has(plain)) return 'baja';
  return IN.has(plain) ? 'alta' : undefined;
}

/** People who opted out of messages. */
@Injectable()
export class OptOutsService {
  constructor(
    private readonly database: Database,
    private readonly messages: MessagesService,
    private readonly secrets: Secrets,
  ) {}

  async isOptedOut(person: Recipient): Promise<boolean> {
    const text = 'select from bajas where destinatario = any ($1) limit 1';
    const { rowCount } = await this.database.query({ text, values: [namesOf(person)] });
    return rowCount === 1;
  }

  /** Every number and id of the person gets no messages any more; those that wait to be sent are omitted. Idempotent. */
  async optOut(person: Recipient, origen: BajaOrigen): Promise<void> {
    const names = namesOf(person);
    const text = `insert into bajas (destinatario, id, creada_en, origen, es_variante)
      select destinatario, id, now(), $3, n > 1 from unnest($1::text[], $2::uuid[]) with ordinality as t (destinatario, id, n)
      on conflict do nothing`;
    await this.database.query({ text, values: [names, names.map(() => v7()), origen] });
    await this.messages.decideAgain(names);
  }

  /** Ends an opt-out, and sends nothing. Idempotent. */
  async optIn(person: Recipient): Promise<void> {
    const text = 'delete from bajas where destinatario = any ($1)';
    await this.database.query({ text, values: [namesOf(person)] });
  }

  /** Numbers that opted out, the newest first. @throws AppError `cursor_invalido` */
  async list(
    operadorId: string,
    request: { limit?: string; cursor?: string },
  ): Promise<PageOf<'bajas', BajaDto>> {
    const scope = { comercioId: operadorId, order: 'id' as const, filters: ['bajas'] };
    const page = new Page(request, scope, this.secrets.cursorKey);
    const text = `select destinatario as telefono, creada_en, origen, id from bajas
      where not es_variante and destinatario like '+%' and ($1::uuid is null or id < $1) order by id desc limit $2`;
    const values = [page.after?.id, page.rows];
    const { rows } = await this.database.query<BajaDto & { id: string }>({ text, values, types: textTypes });
    return page.of(
      'bajas',
      rows,
      ({ id }) => ({ id }),
      ({ telefono, creada_en, origen }) => ({ telefono, creada_en, origen }),
    );
  }
}

/** The number that is known comes first. */
function namesOf({ telefono, usuario }: Recipient): string[] {
  return [...(telefono === null ? [] : phoneVariants(telefono)), ...(usuario === null ? [] : [usuario])];
}
