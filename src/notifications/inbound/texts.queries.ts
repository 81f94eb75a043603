import type { QueryConfig } from 'pg';
import { raw, sql, statement } from '../../platform/database/sql.js';
import { quoted } from '../../platform/database/quoted.js';
import { textTypes } from '../../platform/database/text-types.js';
import { OPEN_ESTADOS } from '../../guias/guia/guia-estado.js';
import { phoneVariants } from '../messages/phone-variants.js';
import type { Recipient } from '../messages/recipient.js';

export interface TextoRow {
  id: string;
  texto: string;
  /** ISO 8601. */
  recibido_en: string;
}

/** Guides that a text is put on: of a number with more open guides the newest. */
const MAX_GUIAS = 50;

const OPEN = raw(quoted(OPEN_ESTADOS));
const NEWEST = raw(`limit ${MAX_GUIAS}`);

/**
 * Puts a text on the guide of the message that it quotes; if there is none, on each open guide that has the number, or whose
 * recipient was written under this id. Reads the index of phones once for each merchant, as the search does.
 * @param answers the provider's id of our message that is quoted.
 */
export function recordTexto(
  { id, texto, recibido_en }: TextoRow,
  { telefono, usuario }: Recipient,
  answers: string | null,
): QueryConfig {
  const phones = telefono === null ? [] : phoneVariants(telefono);
  return statement(sql`with citada as (
      select comercio_id, guia_id from mensajes where proveedor_id = ${answers} and guia_id is not null limit 1
    ), abiertas as (
      select g.comercio_id, g.id as guia_id from comercios c
      cross join unnest(${phones}::text[]) as n (telefono)
      cross join lateral (
        select comercio_id, id, estado from guias where comercio_id = c.id and reverse(telefono) = reverse(n.telefono)
        order by id desc ${NEWEST}
      ) g
      where c.prueba_de is null and g.estado in (${OPEN}) and not exists (select from citada)
      union
      select g.comercio_id, g.id from mensajes m join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
      where m.usuario = ${usuario} and not g.de_prueba and g.estado in (${OPEN}) and not exists (select from citada)
      order by 2 desc ${NEWEST}
    )
    insert into textos (comercio_id, guia_id, id, texto, recibido_en)
    select comercio_id, guia_id, ${id}, ${texto}, ${recibido_en} from (table citada union table abiertas) de
    on conflict do nothing`);
}

/** Texts on a page. */
const MAX_TEXTOS = 100;

/** The last texts of a guide, newest first. */
export function textosOfGuia(comercioId: string, guiaId: string): QueryConfig {
  return {
    text: `select id, texto, recibido_en from textos where comercio_id = $1 and guia_id = $2 order by id desc limit ${MAX_TEXTOS}`,
    values: [comercioId, guiaId],
    types: textTypes,
  };
}
