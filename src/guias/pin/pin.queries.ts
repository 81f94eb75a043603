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

const FIND = `select con_pin, (
    select count(*)::int from pin_fallos f where f.comercio_id = $1 and f.guia_id = $2) as fallos
  from comercios c where c.id = $1`;

export function findPin({ comercio_id, id }: Guia): QueryConfig {
  return { name: 'guia-pin', text: FIND, values: [comercio_id, id] };
}

/** Keeps a wrong PIN; the same one once. */
export function insertWrongPin({ comercio_id, id }: Guia, pin: string): QueryConfig {
  const text = `insert into pin_fallos (comercio_id, guia_id, pin) values ($1, $2, $3) on conflict do nothing`;
  return { text, values: [comercio_id, id, pin] };
}
