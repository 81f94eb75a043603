import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { TrackingLinksService } from '../guias/tracking/tracking-links.service.js';
import { Config } from '../platform/config/env.js';
import { Secrets } from '../platform/config/secrets.js';
import { Database } from '../platform/database/database.js';
import { chatLink } from '../platform/validation/phone.js';
import { BAJA_CLASES, bajaToken, readBajaToken, type Baja, type BajaClase } from './baja-token.js';
import { Correo, type CorreoClase } from './correo.entity.js';
import { renderCorreo, type CorreoContent } from './correo-html.js';
import { endMails, findInbox, type InboxRow } from './correos.queries.js';

/** A mail as those write it who want it sent: the frame, the sender and the headers are added to it. */
export interface NuevoCorreo extends Omit<CorreoContent, 'titulo'> {
  /** Null for a link that may open several shops. */
  comercioId: string | null;
  /** The address, in lower case. */
  para: string;
  clase: CorreoClase;
  asunto: string;
  /** Above the text. Default: the subject. */
  titulo?: string;
  /** Plain sentences. */
  parrafos: string[];
  /** Why the merchant gets it, below the mail. */
  pie?: string;
}

/** Text of a mail's last link, which ends its kind. */
const BAJA_TEXTS: Record<BajaClase, string> = {
  aviso: 'No quiero estos avisos',
  resumen: 'No quiero este resumen',
};

const INBOX_SIZE = 100;

/** Writes mails. A worker sends them: what is written in a transaction is sent if the transaction is kept. */
@Injectable()
export class CorreosService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly secrets: Secrets,
    private readonly links: TrackingLinksService,
  ) {}

  /** @param manager of the transaction that the mail belongs to. */
  async write(manager: EntityManager, correo: NuevoCorreo): Promise<void> {
    const { comercioId, para, clase, titulo = correo.asunto, pie, ...content } = correo;
    const { courier, mail } = this.config;
    const baja = this.bajaUrl(comercioId, clase);
    const rendered = renderCorreo(
      { ...content, titulo },
      {
        de: this.from,
        pie,
        enlaces: [
          ...(courier?.phone ? [{ texto: `Escribir a ${courier.name}`, url: chatLink(courier.phone) }] : []),
          ...(baja === undefined ? [] : [{ texto: BAJA_TEXTS[clase as BajaClase], url: baja }]),
        ],
      },
    );
    const asunto = correo.asunto.replaceAll(/\s+/g, ' ');
    const estado = mail === undefined ? 'guardado' : 'pendiente';
    await manager.insert(Correo, {
      id: v7(),
      comercio_id: comercioId,
      para,
      clase,
      asunto,
      estado,
      ...rendered,
    });
  }

  /** Whose installation this is, as mails say it. */
  get from(): string {
    const { courier } = this.config;
    return courier === undefined ? 'Guías' : `Guías de ${courier.name}`;
  }

  /** An absolute link to a page of ours. @param path with a slash before it. */
  url(path: string): string {
    return this.links.origin() + path;
  }

  /** Where a merchant ends mails of a kind; undefined of those that it asks for itself. */
  bajaUrl(comercioId: string | null, clase: CorreoClase): string | undefined {
    const ends = BAJA_CLASES.find((one) => one === clase);
    if (comercioId === null || ends === undefined) return undefined;
    return this.url(
      `/panel/correo/baja/${bajaToken({ comercioId, clase: ends }, this.secrets.correoBajaKey)}`,
    );
  }

  /** Undefined for a token that is none of ours. */
  readBaja(token: string): Baja | undefined {
    return readBajaToken(token, this.secrets.correoBajaKey);
  }

  /** Ends a kind of mail for a merchant. Idempotent. */
  async end(baja: Baja): Promise<void> {
    await this.database.query(endMails(baja));
  }

  async inbox(): Promise<InboxRow[]> {
    return (await this.database.query<InboxRow>(findInbox(INBOX_SIZE))).rows;
  }
}
