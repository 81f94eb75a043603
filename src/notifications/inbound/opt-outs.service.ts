import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { raw, sql, statement } from '../../platform/database/sql.js';
import { textTypes } from '../../platform/database/text-types.js';
import { MessagesService } from '../messages/messages.service.js';
import type { Recipient } from '../messages/recipient.js';
import { phoneVariants } from '../messages/phone-variants.js';
import { Page, type PageOf } from '../../platform/pagination/page.js';
import type { BajaOrigen } from './baja.entity.js';
import type { BajaDto } from './dto/baja.dto.js';
import { MAX_WISH_LENGTH, plainWords } from './plain-words.js';

/** A number as it is stored. */
export const E164 = /^\+[1-9][0-9]{6,14}$/;

/** Whole messages, in capitals without accents and marks. */
const OUT = [
  /^(?:BAJA|STOP(?: STOP)*|STOP ?ALL|ALTO|BASTA|CANCELAR|CANCEL|QUITAR|QUIT|PARAR|PAREN|DETENER|SALIR|ELIMINAR|BORRAR)$/,
  /^(?:UNSUBSCRIBE|OPT ?OUT|DESUSCRIBIR(?:ME)?|CANCELAR(?: LA| MI)? SUSCRIPCION)$/,
  /^(?:(?:QUIERO|DESEO|SOLICITO) )?(?:LA BAJA|(?:DAR|DARME|DENME|DEME|DAME) DE BAJA)$/,
  /^ME (?:QUIERO DAR|DAN|DA) DE BAJA$/,
  /^(?:PARAR|PAREN|DETENER|DETENGAN|CANCELAR|QUITAR) (?:(?:LOS|ESTOS|SUS) )?MENSAJES$/,
  /^(?:ELIMINAR|ELIMINEN?|BORRAR|BORREN?|QUITAR|QUITEN) (?:MI|ESTE) NUMERO(?: DE (?:LA|SU) LISTA)?$/,
  /^(?:QUITENME|QUITEME|QUITARME|SAQUENME|SAQUEME|BORRENME|ELIMINENME)(?: DE (?:LA|SU) LISTA)?$/,
  /^NO (?:MOLESTAR|MOLESTEN|ESCRIBAN|ESCRIBIR|MENSAJES)$/,
  /^(?:YA |NO )?NO (?:ME )?(?:ESCRIBA[NS]?|MOLESTE[NS]?|CONTACTE[NS]?|HABLE[NS]?)(?: POR WHATSAPP| A ESTE NUMERO)?$/,
  /^(?:YA |NO )?NO (?:ME )?VUELVA[NS]? A (?:ESCRIBIR|MOLESTAR|CONTACTAR|HABLAR)(?:ME)?$/,
  /^(?:YA |NO )?NO (?:ME )?(?:VUELVA[NS]? A )?(?:ENVIE[NS]?|MANDE[NS]?|(?:ENVIAR|MANDAR)(?:ME)?) (?:MENSAJES|WHATSAPPS?)$/,
  /^(?:YA |NO )?NO (?:ME )?(?:ENVIE[NS]?|MANDE[NS]?|ENVIAR|MANDAR) (?:MAS|NADA MAS|MAS NADA)$/,
  /^(?:YA |NO )?NO (?:QUIERO|DESEO) (?:(?:RECIBIR )?(?:SUS )?MENSAJES(?: DE USTEDES)?|QUE ME (?:ESCRIBAN|MOLESTEN|CONTACTEN|(?:ENVIEN|MANDEN) MENSAJES))$/,
  /^(?:(?:QUIERO|DESEO) )?DEJAR DE RECIBIR MENSAJES$/,
  /^DEJ(?:EN|E|A) DE (?:ESCRIBIR(?:ME)?|MOLESTAR(?:ME)?|(?:ENVIAR|MANDAR)(?:ME)? MENSAJES)$/,
];
const IN = new Set([
  'ALTA',
  'START',
  'DARME DE ALTA',
  'DENME DE ALTA',
  'SI QUIERO MENSAJES',
  'QUIERO MENSAJES',
]);

/** Words that mostly change nothing. A text is compared with and without them: "no manden más" needs its last one. */
const FILLING = / (MAS|NUNCA)(?= )/g;

/** Whether a text is an opt-out or an opt-in, and nothing else. */
export function readOptOut(text: string): 'baja' | 'alta' | undefined {
  if (text.length > MAX_WISH_LENGTH) return undefined;
  const polite = plainWords(text);
  const plain = ` ${polite} `.replace(FILLING, '').trim();
  if (OUT.some((wish) => wish.test(plain) || wish.test(polite))) return 'baja';
  return IN.has(plain) ? 'alta' : undefined;
}

/** The last wish of a person, under any of their numbers and ids. */
interface LastWish {
  de_baja: boolean;
  /** ISO 8601; null without a wish. */
  en: string | null;
}

const FIND_LAST = `select coalesce(bool_or(vigente), false) as de_baja, max(coalesce(deseo_en, creada_en)) as en
  from bajas where destinatario = any ($1)`;

const IS_NEWER = 'coalesce(bajas.deseo_en, bajas.creada_en) <= excluded.creada_en';

/** An opt-out that holds keeps its time and origin. */
const optOutOf = (names: string[], origen: BajaOrigen, at?: string) =>
  sql`insert into bajas (destinatario, id, creada_en, origen, es_variante)
  select destinatario, id, coalesce(${at}::timestamptz, now()), ${origen}, n > 1
  from unnest(${names}::text[], ${names.map(() => v7())}::uuid[]) with ordinality as t (destinatario, id, n)
  on conflict (destinatario) do update set vigente = true, deseo_en = excluded.creada_en,
    id = case when bajas.vigente then bajas.id else excluded.id end,
    creada_en = case when bajas.vigente then bajas.creada_en else excluded.creada_en end,
    origen = case when bajas.vigente then bajas.origen else excluded.origen end,
    es_variante = case when bajas.vigente then bajas.es_variante else excluded.es_variante end
  where ${raw(IS_NEWER)}`;

/** Also of a person who never opted out: the wish may be delivered before an older one. */
const OPT_IN = `insert into bajas (destinatario, creada_en, vigente)
  select unnest($1::text[]), coalesce($2::timestamptz, now()), false
  on conflict (destinatario) do update set vigente = false, deseo_en = excluded.creada_en
  where ${IS_NEWER}`;

@Injectable()
export class OptOutsService {
  constructor(
    private readonly database: Database,
    private readonly messages: MessagesService,
    private readonly secrets: Secrets,
  ) {}

  async findLast(person: Recipient): Promise<LastWish> {
    const values = [namesOf(person)];
    const { rows } = await this.database.query<LastWish>({ text: FIND_LAST, values, types: textTypes });
    return rows[0]!;
  }

  /**
   * Every number and id of the person gets no messages any more; those that wait to be sent are omitted. Idempotent.
   * @param at ISO 8601, when it was asked for; now unless given. A newer wish stays.
   */
  async optOut(person: Recipient, origen: BajaOrigen, at?: string): Promise<void> {
    const names = namesOf(person);
    await this.database.query(statement(optOutOf(names, origen, at)));
    await this.messages.decideAgain(names);
  }

  /** Ends an opt-out, and sends nothing. Idempotent. @param at as in `optOut`. */
  async optIn(person: Recipient, at?: string): Promise<void> {
    await this.database.query({ text: OPT_IN, values: [namesOf(person), at] });
  }

  /** Numbers that opted out, the newest first. @throws AppError `cursor_invalido` */
  async list(
    operadorId: string,
    request: { limit?: string; cursor?: string },
  ): Promise<PageOf<'bajas', BajaDto>> {
    const scope = { comercioId: operadorId, order: 'id' as const, filters: ['bajas'] };
    const page = new Page(request, scope, this.secrets.cursorKey);
    const text = `select destinatario as telefono, creada_en, origen, id from bajas
      where vigente and not es_variante and destinatario like '+%' and ($1::uuid is null or id < $1) order by id desc limit $2`;
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
