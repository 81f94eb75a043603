import type { QueryConfig } from 'pg';

/** Columns of the guide's row. */
interface Guia {
  comercio_id: string;
  id: string;
}

/** Whether the merchant's parcels are delivered with a PIN, and how many wrong ones were tried for the guide. */
export interface PinRow {
  con_pin: boolean;
  fallos: number;
}

/** SQL of the columns of a `PinRow`, of guide `g`. */
export const PIN = `(select c.con_pin from comercios c where c.id = g.comercio_id) as con_pin,
  (select count(*)::int from pin_fallos f where f.comercio_id = g.comercio_id and f.guia_id = g.id) as fallos`;

/** Keeps a wrong PIN; the same one once. */
export function insertWrongPin({ comercio_id, id }: Guia, pin: string): QueryConfig {
  const text = `insert into pin_fallos (comercio_id, guia_id, pin) values ($1, $2, $3) on conflict do nothing`;
  return { text, values: [comercio_id, id, pin] };
}
