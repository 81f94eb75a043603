import type { QueryConfig } from 'pg';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import type { GuiaKey } from '../guia-key.js';

/** A row if the guide has the warning. */
export function findAdvertencia({ comercioId, guiaId }: GuiaKey, advertencia: GuiaAdvertencia): QueryConfig {
  const text = 'select from guias where comercio_id = $1 and id = $2 and $3 = any (advertencias)';
  return { name: 'guia-advertencia', text, values: [comercioId, guiaId, advertencia] };
}

/** A row if the guide has the event. */
export function findEvento({ comercioId, guiaId }: GuiaKey, eventoId: string): QueryConfig {
  const text = 'select from eventos where comercio_id = $1 and guia_id = $2 and id = $3';
  return { text, values: [comercioId, guiaId, eventoId] };
}

/** A row if the message has failed. */
export function findFailedMensaje(mensajeId: string): QueryConfig {
  return { text: `select from mensajes where id = $1 and estado = 'fallido'`, values: [mensajeId] };
}
