import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { textTypes } from '../../platform/database/text-types.js';
import type { WhatsappEvent } from './whatsapp/webhook-events.js';

const RECORD = `insert into entrantes (id, clave, cuerpo, recibido_en)
  select id, clave, cuerpo, now() from unnest($1::uuid[], $2::text[], $3::text[]) as nuevo (id, clave, cuerpo)
  on conflict do nothing
  returning id, ronda`;

/** Stores those events that are new, and returns them as `QueueableEntrante`, in the order of the events. */
export function recordEntrantes(events: WhatsappEvent[]): QueryConfig {
  const values = [
    events.map(() => v7()),
    events.map(({ id }) => id),
    events.map((event) => JSON.stringify(event)),
  ];
  return { name: 'entrantes-record', text: RECORD, values };
}

export interface EntranteRow {
  cuerpo: string;
  /** ISO 8601. */
  recibido_en: string;
}

/** An event that is still to be processed. */
export function loadEntrante(id: string): QueryConfig {
  const text = 'select cuerpo, recibido_en from entrantes where id = $1 and procesado_en is null';
  return { name: 'entrante-load', text, values: [id], types: textTypes };
}

/** An event that was processed, but is kept for a choice. */
export function loadKeptEntrante(id: string): QueryConfig {
  return { text: 'select cuerpo from entrantes where id = $1 and cuerpo is not null', values: [id] };
}

export function rewriteEntrante(id: string, event: object): QueryConfig {
  const text = 'update entrantes set cuerpo = $2 where id = $1';
  return { name: 'entrante-rewrite', text, values: [id, JSON.stringify(event)] };
}

export function finishEntrante(id: string, keep: boolean): QueryConfig {
  const text =
    'update entrantes set procesado_en = now(), cuerpo = case when $2 then cuerpo end where id = $1';
  return { name: 'entrante-done', text, values: [id, keep] };
}
