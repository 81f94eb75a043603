import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { Correo, type CorreoClase } from './correo.entity.js';

/** A mail as those write it who want it sent: the frame, the sender and the headers are added to it. */
export interface NuevoCorreo {
  /** Null for a link that may open several shops. */
  comercioId: string | null;
  /** The address, in lower case. */
  para: string;
  clase: CorreoClase;
  asunto: string;
  /** What it says, as plain sentences. */
  parrafos: string[];
  /** The one thing to press. */
  boton?: { texto: string; url: string };
}

/** Writes mails. A worker sends them: what is written in a transaction is sent if the transaction is kept. */
@Injectable()
export class CorreosService {
  /** @param manager of the transaction that the mail belongs to. */
  async write(manager: EntityManager, correo: NuevoCorreo): Promise<void> {
    const { comercioId, para, clase, asunto, parrafos, boton } = correo;
    const texto = [...parrafos, ...(boton ? [`${boton.texto}: ${boton.url}`] : [])].join('\n\n');
    await manager.insert(Correo, { id: v7(), comercio_id: comercioId, para, clase, asunto, texto });
  }
}
