import type { QueryConfig } from 'pg';
import { textTypes } from '../../platform/database/text-types.js';
import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import { TOKEN_DAYS } from '../../confirmations/token.js';
import type { AnsweredGuiaRow } from '../../guias/changes/recipient-answer.js';
import { SECUENCIA } from './messages.queries.js';
import { phoneVariants } from './phone-variants.js';
import type { Recipient } from './recipient.js';

export interface MessageGuiaRow extends AnsweredGuiaRow {
  guia: string;
  destinatario: string;
}

const COLUMNS = 'g.comercio_id, g.id as guia_id, g.guia, g.destinatario, g.telefono_secuencia';

/** The message went to the phone that the guide still has. */
const TO_CURRENT_PHONE = `coalesce(${SECUENCIA}, 0) >= coalesce(g.telefono_secuencia, 0)`;

export interface AskedGuiaRow extends MessageGuiaRow {
  estado: GuiaEstado;
  direccion_confirmada: boolean;
  /** ISO 8601; when the person was first asked. */
  pedida_en: string;
}

const FIND_ASKED_ABOUT = `select distinct on (g.id) ${COLUMNS}, g.estado, g.direccion_confirmada,
    min(m.primer_intento_en) over (partition by g.id) as pedida_en
  from mensajes m
  join guias g on not g.de_prueba and g.comercio_id = m.comercio_id and g.id = m.guia_id
  where (m.telefono = any ($1) or m.usuario = $2)
    and m.tipo = 'confirmacion_ubicacion' and m.primer_intento_en is not null
    and m.creado_en > now() - interval '${TOKEN_DAYS} days' and ${TO_CURRENT_PHONE}
  order by g.id desc`;

/** The guides that a person was asked about in the last days, newest first, as `AskedGuiaRow`. Without test guides. */
export function findAskedGuias({ telefono, usuario }: Recipient): QueryConfig {
  const values = [telefono === null ? [] : phoneVariants(telefono), usuario];
  return { name: 'open-requests', text: FIND_ASKED_ABOUT, values, types: textTypes };
}

const FIND_ASKED = `select ${COLUMNS}
  from mensajes m join guias g on not g.de_prueba and g.comercio_id = m.comercio_id and g.id = m.guia_id
  where m.proveedor_id = $1 and ${TO_CURRENT_PHONE}
  limit 1`;

/**
 * The guide of a message of ours, by the provider's id of it: a `MessageGuiaRow`. Whoever quotes the message got it, under
 * whichever number or id the provider knows them now.
 */
export function findAskedGuia(proveedorId: string): QueryConfig {
  return { name: 'asked-guide', text: FIND_ASKED, values: [proveedorId] };
}
