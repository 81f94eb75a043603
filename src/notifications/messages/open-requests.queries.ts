import type { QueryConfig } from 'pg';
import { TOKEN_DAYS } from '../../confirmations/token.js';
import { whereConfirmable, type AnsweredGuia } from '../../guias/changes/guia-confirmations.queries.js';
import { SECUENCIA } from './messages.queries.js';
import { phoneVariants } from './phone-variants.js';
import type { Recipient } from './recipient.js';

/** A guide whose recipient was asked and may still answer. */
export interface OpenRequest extends AnsweredGuia {
  /** Guide number. */
  guia: string;
}

const KEY = `g.comercio_id as "comercioId", g.id as "guiaId", g.guia, g.telefono_secuencia as "telefonoSecuencia"`;

/** The message went to the phone that the guide still has. */
const TO_CURRENT_PHONE = `coalesce(${SECUENCIA}, 0) >= coalesce(g.telefono_secuencia, 0)`;

const FIND_OPEN = `select distinct on (g.id) ${KEY}, g.direccion_confirmada as "isConfirmed"
  from mensajes m
  join guias g on not g.de_prueba and ${whereConfirmable('g')} and g.comercio_id = m.comercio_id and g.id = m.guia_id
  where (m.telefono = any ($1) or m.usuario = $2)
    and m.tipo = 'confirmacion_ubicacion' and m.primer_intento_en is not null
    and m.creado_en > now() - interval '${TOKEN_DAYS} days' and ${TO_CURRENT_PHONE}
  order by g.id desc`;

/** The guides that a person was asked about and may still answer for, newest first. Without test guides. */
export function findOpenRequests({ telefono, usuario }: Recipient): QueryConfig {
  const values = [telefono === null ? [] : phoneVariants(telefono), usuario];
  return { name: 'open-requests', text: FIND_OPEN, values };
}

const FIND_ASKED = `select ${KEY}
  from mensajes m join guias g on not g.de_prueba and g.comercio_id = m.comercio_id and g.id = m.guia_id
  where m.proveedor_id = $1 and (m.telefono = any ($2) or m.usuario = $3) and ${TO_CURRENT_PHONE}
  limit 1`;

/** The guide of a message that was sent to this person, by the provider's id of the message. */
export function findAskedGuia(proveedorId: string, { telefono, usuario }: Recipient): QueryConfig {
  const values = [proveedorId, telefono === null ? [] : phoneVariants(telefono), usuario];
  return { name: 'asked-guide', text: FIND_ASKED, values };
}
