import type { GuiaEstado } from '../../src/guias/guia-estado.js';
import type { TestDatabase } from './database.js';

export interface Seed {
  /** How many guides. */
  count: number;
  /** Creation time of guide `n` (from 0), in milliseconds since 1970, as SQL. */
  at: string;
  /** State of guide `n`, as SQL. Default: aceptado. */
  estado?: string;
}

let seeded = 0;

/**
 * Guides written straight into the table, as the service would have written them at that time: the id is a
 * UUID version 7 of the creation time with random low bits.
 */
export async function seedGuias(database: TestDatabase, comercioId: string, seed: Seed): Promise<void> {
  const estado = seed.estado ?? `'aceptado'`;
  const first = (seeded += seed.count) - seed.count;
  await database.query(
    `insert into guias (comercio_id, id, guia, estado, telefono, departamento, municipio, direccion_confirmada,
       recogida_lat, recogida_lng, creada_en, actualizada_en)
     select $1, (lpad(to_hex(ms), 12, '0') || '7' || substr(noise, 1, 3) || '8' || substr(noise, 4, 15))::uuid,
       '9' || lpad((n + $3)::text, 11, '0'), ${estado}, '+50255551234', 'Guatemala', 'Mixco', false,
       14.6, -90.5, at, at
     from generate_series(0, $2::int - 1) n,
       lateral (select (${seed.at})::bigint as ms, md5(random()::text || n) as noise) made,
       lateral (select timestamptz 'epoch' + ms * interval '1 millisecond' as at) moment`,
    [comercioId, seed.count, first],
  );
}

/** One guide created at an exact instant. */
export function seedAt(
  database: TestDatabase,
  comercioId: string,
  iso: string,
  estado: GuiaEstado = 'aceptado',
) {
  return seedGuias(database, comercioId, { count: 1, at: String(Date.parse(iso)), estado: `'${estado}'` });
}
