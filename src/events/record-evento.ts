import { isRelayed, type EventoActor, type EventoTipo } from './evento-tipo.js';

/**
 * The part of a changing statement that records what it did, so that neither happens without the other.
 * @param evento.from the CTE that changed the guide; it returns `comercio_id`, `id` and `version`.
 * @param evento.id SQL of the event's id, like `$3::uuid`.
 * @param evento.datos SQL of what there is to say beyond the type; never a phone or an address.
 * @param evento.secuencia SQL of its place among the guide's events; the version that the change made.
 * @param evento.where further condition on the CTE's row.
 */
export function recordEvento(evento: {
  from: string;
  id: string;
  tipo: EventoTipo;
  actor: EventoActor;
  datos?: string;
  secuencia?: string;
  where?: string;
}): string {
  const { from, id, tipo, actor, datos = 'null', secuencia = 'version', where } = evento;
  return `insert into eventos (comercio_id, guia_id, id, tipo, actor, secuencia, creado_en, despachado_en, datos)
  select comercio_id, id, ${id}, '${tipo}', '${actor}', ${secuencia}, clock_timestamp(), ${dispatchedAt(tipo)}, ${datos}
  from ${from}${where === undefined ? '' : ` where ${where}`}`;
}

/** SQL of when an event of some type is dispatched: a relayed one is not, at first. */
export function dispatchedAt(tipo: EventoTipo): string {
  return isRelayed(tipo) ? 'null::timestamptz' : 'now()';
}
