import { Injectable } from '@nestjs/common';
import { TOKEN_DAYS } from '../../confirmations/token.js';
import { Database } from '../../database/database.js';
import { whereConfirmable, type AnsweredGuia } from '../../guias/changes/guia-confirmations.queries.js';
import { SECUENCIA } from './messages.queries.js';
import { phoneVariants } from './phone-variants.js';

/** A person on the other side, as far as the app says who. */
export interface Recipient {
  /** E.164. */
  telefono: string | null;
  /** The app's own id of them. */
  usuario: string | null;
}

/** A guide whose recipient was asked and may still answer. */
export interface OpenRequest extends AnsweredGuia {
  /** Guide number. */
  guia: string;
}

/** What a choice between guides comes back as. */
const CHOICE = /^elegir:([0-9a-f-]{36}):([0-9a-f-]{36})$/;

/** WhatsApp lists no more. */
const MAX_OPTIONS = 10;

const ASKED = `m.tipo = 'confirmacion_ubicacion' and m.primer_intento_en is not null
  and m.creado_en > now() - interval '${TOKEN_DAYS} days'
  and coalesce(${SECUENCIA}, 0) >= coalesce(g.telefono_secuencia, 0)`;

const FIND = `select distinct on (g.id) g.comercio_id as "comercioId", g.id as "guiaId", g.guia, g.telefono_secuencia as "telefonoSecuencia",
    g.direccion_confirmada as confirmada
  from mensajes m join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  where (m.telefono = any ($1) or m.usuario = $2) and ${ASKED} and ${whereConfirmable('g')}
  order by g.id desc`;

const FIND_ASKED = `select g.comercio_id as "comercioId", g.id as "guiaId", g.guia, g.telefono_secuencia as "telefonoSecuencia"
  from mensajes m join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  where m.proveedor_id = $1 and (m.telefono = any ($2) or m.usuario = $3)
    and coalesce(${SECUENCIA}, 0) >= coalesce(g.telefono_secuencia, 0)
  limit 1`;

/** Which guides a person may answer for. */
@Injectable()
export class OpenRequestsService {
  constructor(private readonly database: Database) {}

  /** Those that wait for an answer, newest first; where none does, those that may still be corrected. */
  async of({ telefono, usuario }: Recipient): Promise<OpenRequest[]> {
    const values = [telefono === null ? [] : phoneVariants(telefono), usuario];
    const { rows } = await this.database.query<OpenRequest & { confirmada: boolean }>({
      name: 'open-requests',
      text: FIND,
      values,
    });
    const waiting = rows.filter((row) => !row.confirmada);
    return waiting.length > 0 ? waiting : rows;
  }

  /** The guide of the message that is being answered, by the provider's id of it; only to whom it was sent. */
  async answered(proveedorId: string, { telefono, usuario }: Recipient): Promise<OpenRequest | undefined> {
    const values = [proveedorId, telefono === null ? [] : phoneVariants(telefono), usuario];
    const { rows } = await this.database.query<OpenRequest>({
      name: 'asked-guide',
      text: FIND_ASKED,
      values,
    });
    return rows[0];
  }

  /** What a person is offered where a location could be for several guides. */
  async options(mensaje: Recipient & { id: string }): Promise<{ id: string; titulo: string }[]> {
    const open = await this.of(mensaje);
    return open
      .slice(0, MAX_OPTIONS)
      .map(({ guia, guiaId }) => ({ id: `elegir:${mensaje.id}:${guiaId}`, titulo: `Guía ${guia}` }));
  }

  /** Reads a choice: which incoming location, for which guide. */
  readChoice(payload: string): { entranteId: string; guiaId: string } | undefined {
    const [, entranteId, guiaId] = CHOICE.exec(payload) ?? [];
    return entranteId === undefined || guiaId === undefined ? undefined : { entranteId, guiaId };
  }
}
