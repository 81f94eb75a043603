import { isRelayed, type EventoActor, type EventoTipo } from './evento-tipo.js';

/**
 * SQL that inserts the event of a change, as part of the statement that makes the change.
 * @param evento.from the CTE that changed the guide; returns `comercio_id`, `id` and `version`.
 * @param evento.id SQL of the event's id, like `$3::uuid`.
 * @param evento.datos SQL of the details; never a phone or an address.
 * @param evento.traza SQL of the `traceparent()` that its dispatch continues; of an event that is relayed.
 * @param evento.secuencia SQL of the event's `secuencia`; the new version by default.
 * @param evento.despachado SQL of `despachado_en`; by the type by default.
 * @param evento.where further condition on the CTE's row.
 */
export function recordEvento(evento: {
  from: string;
  id: string;
  tipo: EventoTipo;
  actor: EventoActor;
  datos?: string;
  traza?: string;
  secuencia?: string;
  despachado?: string;
  where?: string;
}): string {
  const { from, id, tipo, actor, datos = 'null', traza = 'null', secuencia = 'version', where } = evento;
  const { despachado = dispatchedAt(tipo) } = evento;
  return `insert into eventos (comercio_id, guia_id, id, tipo, actor, secuencia, creado_en, despachado_en, datos, traza)
  select comercio_id, id, ${id}, '${tipo}', '${actor}', ${secuencia}, clock_timestamp(), ${despachado}, ${datos}, ${traza}
  from ${from}${where === undefined ? '' : ` where ${where}`}`;
}

/** SQL of `despachado_en` at insertion: null if the event is to be relayed. */
export function dispatchedAt(tipo: EventoTipo): string {
  return isRelayed(tipo) ? 'null::timestamptz' : 'now()';
}
