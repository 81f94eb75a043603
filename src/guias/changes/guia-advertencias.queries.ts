import type { QueryConfig } from 'pg';
import type { GuiaAdvertencia } from '../guia/guia-advertencia.js';
import type { GuiaKey } from '../guia/guia-key.js';

/** A row if the guide has any of the warnings. */
export function findAdvertencias(
  { comercioId, guiaId }: GuiaKey,
  advertencias: readonly GuiaAdvertencia[],
): QueryConfig {
  const text = 'select from guias where comercio_id = $1 and id = $2 and advertencias && $3';
  return { name: 'guia-advertencias', text, values: [comercioId, guiaId, advertencias] };
}

/** A row if the guide has the event. @param before `secuencia` that it must be below; any by default. */
export function findEvento(
  { comercioId, guiaId }: GuiaKey,
  eventoId: string,
  before: number | null = null,
): QueryConfig {
  const text = `select from eventos where comercio_id = $1 and guia_id = $2 and id = $3
    and ($4::integer is null or secuencia < $4)`;
  return { text, values: [comercioId, guiaId, eventoId, before] };
}

/** A row if the message has failed. */
export function findFailedMensaje(mensajeId: string): QueryConfig {
  return { text: `select from mensajes where id = $1 and estado = 'fallido'`, values: [mensajeId] };
}
