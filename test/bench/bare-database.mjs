// The database of the bare server: only what the API needs.
import { bulkLoad } from './bulk-load.mjs';
import { guides, merchantId, MERCHANTS } from './guides.mjs';
import { withPg } from './stores.mjs';

export const SCHEMA = `
  create table comercios (
    id uuid primary key,
    clave text not null unique
  );
  create sequence guia_numero cache 32;
  create table guias (
    id uuid primary key,
    comercio_id uuid not null,
    guia text not null unique,
    external_ref text check (length(external_ref) <= 100),
    estado text not null default 'aceptado',
    destinatario text not null default '',
    telefono text not null,
    direccion text not null default '',
    departamento text not null,
    municipio text not null,
    referencia text,
    contenido text not null default '',
    notas text,
    cod_amount numeric(12,2) not null default 0,
    direccion_confirmada boolean not null default false,
    destino_lat double precision,
    destino_lng double precision,
    recogida_lat double precision,
    recogida_lng double precision,
    recogida_maps_url text,
    recogida_nombre text,
    recogida_direccion text,
    creada_en timestamptz(3) not null default now(),
    actualizada_en timestamptz(3) not null default now(),
    unique (comercio_id, external_ref)
  );
  create index guias_lista on guias (comercio_id, creada_en desc, id desc);
  create index guias_lista_estado on guias (comercio_id, estado, creada_en desc, id desc);
  create table guia_eventos (
    id bigint generated always as identity primary key,
    guia_id uuid not null,
    comercio_id uuid not null,
    tipo text not null,
    creado_en timestamptz(3) not null default now(),
    despachado_en timestamptz(3)
  );
  create index guia_eventos_pendientes on guia_eventos (id) where despachado_en is null`;

const COLUMNS = `id, comercio_id, external_ref, estado, destinatario, telefono, direccion, departamento, municipio,
  referencia, contenido, notas, cod_amount, direccion_confirmada, destino_lat, destino_lng, recogida_lat, recogida_lng,
  recogida_nombre, recogida_direccion, creada_en, actualizada_en`;

/** The API key of merchant `n`. */
export const bareKey = (n) => `bare-key-${n}`;

/** Creates the tables in an empty database and fills them. */
export async function fillBareDatabase(url, rows) {
  await withPg(url, async (client) => {
    await client.query(SCHEMA);
    await client.query(
      `insert into comercios select ${merchantId('n')}, '${bareKey('')}' || n from generate_series(1, ${MERCHANTS}) n`,
    );
    await bulkLoad(client, ['guias', 'guia_eventos'], async () => {
      await client.query(
        `insert into guias (guia, ${COLUMNS}) select 'SG' || lpad(n::text, 10, '0'), ${COLUMNS} from (${guides(rows)}) g`,
      );
      await client.query(`insert into guia_eventos (guia_id, comercio_id, tipo, creado_en, despachado_en)
        select id, comercio_id, 'creada', creada_en, creada_en from guias`);
    });
    await client.query(`select setval('guia_numero', ${rows} + 1000)`);
  });
}
