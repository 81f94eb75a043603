import type { QueryConfig } from 'pg';
import { recordEvento } from '../../events/record-evento.js';
import { traceparent } from '../../tracing/spans.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import type { GuiaKey } from '../guia-key.js';
import { TOUCH } from './guia-version.js';

type MensajeEventoTipo = 'guia.mensaje_fallido' | 'guia.mensaje_omitido';

/** The event that a warning is recorded with. */
export interface MensajeEvento {
  /** The same for the same occasion, so that a repeat changes nothing. */
  id: string;
  tipo: MensajeEventoTipo;
  datos: object;
}

const add = (tipo: MensajeEventoTipo) => `with advertida as (
  update guias set ${TOUCH}, advertencias = case
      when direccion_confirmada or $3 = any (advertencias) then advertencias
      else array_append(advertencias, $3) end
  where comercio_id = $1 and id = $2
    and not exists (select from eventos where comercio_id = $1 and guia_id = $2 and id = $4)
  returning comercio_id, id, version
)
${recordEvento({ from: 'advertida', id: '$4::uuid', tipo, actor: 'sistema', datos: '$5::jsonb', traza: '$6::text' })}
on conflict do nothing`;

const ADD: Record<MensajeEventoTipo, string> = {
  'guia.mensaje_fallido': add('guia.mensaje_fallido'),
  'guia.mensaje_omitido': add('guia.mensaje_omitido'),
};

const REMOVE = `update guias set advertencias = array_remove(advertencias, $3), ${TOUCH}
  where comercio_id = $1 and id = $2 and $3 = any (advertencias)
    and not exists (select from mensajes where id = $4 and estado = 'fallido')`;

/** Records the event, and adds the warning to a guide whose address is not confirmed. */
export function addAdvertencia(
  { comercioId, guiaId }: GuiaKey,
  advertencia: GuiaAdvertencia,
  { id, tipo, datos }: MensajeEvento,
): QueryConfig {
  return { text: ADD[tipo], values: [comercioId, guiaId, advertencia, id, datos, traceparent()] };
}

/** Removes a message's warning, unless the message has failed again since: then another process adds it again. */
export function removeAdvertencia(
  { comercioId, guiaId }: GuiaKey,
  advertencia: GuiaAdvertencia,
  mensajeId: string,
): QueryConfig {
  const values = [comercioId, guiaId, advertencia, mensajeId];
  return { name: 'guia-advertencia-remove', text: REMOVE, values };
}
