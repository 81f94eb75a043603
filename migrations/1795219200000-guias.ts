import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `create table comercios (
    id uuid constraint comercios_pkey primary key,
    nombre text not null constraint comercios_nombre_check check (char_length(nombre) between 1 and 120),
    pais text not null constraint comercios_pais_check check (pais ~ '^[A-Z]{2}$'),
    creado_en timestamptz(3) not null default now()
  )`,

  `create table claves_api (
    id uuid constraint claves_api_pkey primary key,
    comercio_id uuid not null constraint claves_api_comercio_fkey references comercios (id),
    identificador text not null constraint claves_api_identificador_key unique
      constraint claves_api_identificador_check check (identificador ~ '^[0-9A-Za-z]{8}$'),
    huella bytea not null constraint claves_api_huella_check check (octet_length(huella) = 32),
    alcances text[] not null constraint claves_api_alcances_check check (cardinality(alcances) > 0),
    etiqueta text constraint claves_api_etiqueta_check check (char_length(etiqueta) between 1 and 120),
    creada_en timestamptz(3) not null default now(),
    expira_en timestamptz(3),
    revocada_en timestamptz(3),
    ultimo_uso_en timestamptz(3)
  )`,
  `create index claves_api_comercio_idx on claves_api (comercio_id)`,

  // Each value reserves a thousand numbers: a process creates a thousand guides with one query.
  `create sequence guias_numero as bigint minvalue 0 maxvalue 89999999000 start 0 increment 1000`,

  // No foreign keys to comercios or from eventos: merchants and guides are never deleted, the merchant comes
  // from a verified key, an event is written by the statement that writes its guide, and each check would lock
  // the one row that all creates of a busy merchant share.
  `create table guias (
    comercio_id uuid not null,
    id uuid not null,
    guia text not null constraint guias_guia_key unique
      constraint guias_guia_check check (guia ~ '^[1-9][0-9]{11}$'),
    external_ref text constraint guias_external_ref_check check (char_length(external_ref) between 1 and 100),
    estado text not null constraint guias_estado_check check (estado in (
      'aceptado', 'en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido',
      'entregado', 'en_devolucion', 'devuelto', 'cancelado', 'extraviado')),
    destinatario text not null default '' constraint guias_destinatario_check check (char_length(destinatario) between 0 and 120),
    telefono text not null constraint guias_telefono_check check (telefono ~ '^\\+[1-9][0-9]{3,14}$'),
    direccion text not null default '' constraint guias_direccion_check check (char_length(direccion) between 0 and 500),
    departamento text not null constraint guias_departamento_check check (char_length(departamento) between 1 and 120),
    municipio text not null constraint guias_municipio_check check (char_length(municipio) between 1 and 120),
    referencia text constraint guias_referencia_check check (char_length(referencia) between 1 and 500),
    contenido text not null default '' constraint guias_contenido_check check (char_length(contenido) between 0 and 500),
    notas text constraint guias_notas_check check (char_length(notas) between 1 and 1000),
    -- The upper bound also keeps out NaN, which PostgreSQL holds to be greater than any number.
    cod_amount numeric(12,2) not null default 0 constraint guias_cod_amount_check check (cod_amount between 0 and 1000000),
    direccion_confirmada boolean not null,
    destino_lat double precision,
    destino_lng double precision,
    destino_maps_url text constraint guias_destino_maps_url_check check (char_length(destino_maps_url) between 1 and 4096),
    recogida_lat double precision,
    recogida_lng double precision,
    recogida_maps_url text constraint guias_recogida_maps_url_check check (char_length(recogida_maps_url) between 1 and 4096),
    recogida_nombre text constraint guias_recogida_nombre_check check (char_length(recogida_nombre) between 1 and 120),
    recogida_direccion text constraint guias_recogida_direccion_check check (char_length(recogida_direccion) between 1 and 500),
    advertencias text[] not null default '{}',
    creada_en timestamptz(3) not null,
    actualizada_en timestamptz(3) not null,
    constraint guias_pkey primary key (comercio_id, id),
    constraint guias_external_ref_key unique (comercio_id, external_ref),
    constraint guias_direccion_confirmada_check check (
      not direccion_confirmada or destino_lat is not null or destino_maps_url is not null),
    constraint guias_destino_check check (
      (destino_lat is null) = (destino_lng is null) and destino_lat between -90 and 90
      and destino_lng between -180 and 180 and not (destino_lat = 0 and destino_lng = 0)),
    constraint guias_recogida_check check (
      (recogida_lat is null) = (recogida_lng is null) and recogida_lat between -90 and 90
      and recogida_lng between -180 and 180 and not (recogida_lat = 0 and recogida_lng = 0)
      and (recogida_lat is not null or recogida_maps_url is not null))
  )`,
  `create index guias_estado_idx on guias (comercio_id, estado, id)`,

  `create table eventos (
    comercio_id uuid not null,
    guia_id uuid not null,
    id uuid not null,
    tipo text not null constraint eventos_tipo_check check (tipo in ('guia.creada')),
    creado_en timestamptz(3) not null,
    despachado_en timestamptz(3),
    constraint eventos_pkey primary key (comercio_id, guia_id, id)
  )`,
  `create index eventos_pendientes_idx on eventos (id) where despachado_en is null`,
];

export class Guias1795219200000 implements MigrationInterface {
  name = 'Guias1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table eventos, guias, claves_api, comercios');
    await runner.query('drop sequence guias_numero');
  }
}
