import type { GuiaEstado } from '../../src/guias/guia/guia-estado.js';
import type { TestDatabase } from './database.js';

interface Seed {
  /** How many guides. */
  count: number;
  /** Creation time of guide `n` (from 0), in ms since 1970, as SQL. */
  at: string;
  /** Time of its last change, in the same form. Default: its creation time. */
  changedAt?: string;
  /** State of guide `n`, as SQL. Default: aceptado. */
  estado?: string;
  /** Its phone, as SQL. Default: always the same one. */
  telefono?: string;
  /** Whether its address is confirmed, as SQL. Default: false. */
  confirmada?: string;
  /** Its reference, as SQL. Default: none. */
  externalRef?: string;
}

let seeded = 0;

/** The Luhn check digit of eleven digits, as SQL. */
const luhnDigit = (digits: string) =>
  `(select ((10 - sum(case when i % 2 = 0 then d when d > 4 then d * 2 - 9 else d * 2 end) % 10) % 10)::text
    from generate_series(1, 11) i, lateral (select substr(${digits}, i, 1)::int as d) digit)`;

/**
 * Inserts guides directly into the table, as the service would have inserted them at that time: ids are UUID
 * version 7 of the creation time with random low bits, and numbers have their check digit.
 */
export async function seedGuias(database: TestDatabase, comercioId: string, seed: Seed): Promise<void> {
  const {
    estado = `'aceptado'`,
    telefono = `'+50255551234'`,
    confirmada = 'false',
    externalRef = 'null',
  } = seed;
  const first = (seeded += seed.count) - seed.count;
  const moment = (ms: string) => `timestamptz 'epoch' + (${ms})::bigint * interval '1 millisecond'`;
  await database.query(
    `insert into guias (comercio_id, id, guia, external_ref, estado, telefono, departamento, municipio,
       direccion_confirmada, destino_lat, destino_lng, recogida_lat, recogida_lng, creada_en, actualizada_en)
     select $1, (lpad(to_hex(ms), 12, '0') || '7' || substr(noise, 1, 3) || '8' || substr(noise, 4, 15))::uuid,
       digits || ${luhnDigit('digits')}, ${externalRef}, ${estado}, ${telefono}, 'Guatemala', 'Mixco',
       confirmada, case when confirmada then 14.6 end, case when confirmada then -90.5 end,
       14.6, -90.5, ${moment('ms')}, ${moment(seed.changedAt ?? 'ms')}
     from generate_series(0, $2::int - 1) n,
       lateral (select (${seed.at})::bigint as ms, md5(random()::text || n) as noise,
         '9' || lpad((n + $3)::text, 10, '0') as digits, (${confirmada})::boolean as confirmada) made`,
    [comercioId, seed.count, first],
  );
}

/** Inserts one guide created at an exact instant. */
export function seedAt(
  database: TestDatabase,
  comercioId: string,
  iso: string,
  estado: GuiaEstado = 'aceptado',
) {
  return seedGuias(database, comercioId, { count: 1, at: String(Date.parse(iso)), estado: `'${estado}'` });
}
