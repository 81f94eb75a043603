import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHANGES = [
  // When the recipient confirmed; null if the merchant gave the destination.
  `alter table guias add column confirmada_en timestamptz(3)`,
  `alter table guias add constraint guias_confirmada_en_check check (confirmada_en is null or direccion_confirmada)`,

  `alter table eventos drop constraint eventos_tipo_check`,
  `alter table eventos add constraint eventos_tipo_check check (tipo in (
    'guia.creada', 'guia.confirmacion_pedida', 'guia.confirmada', 'guia.mensaje_fallido', 'guia.mensaje_omitido'))`,
  // Details of the event; never a phone, an address or coordinates.
  `alter table eventos add column datos jsonb`,

  `create table confirmaciones (
    huella bytea constraint confirmaciones_pkey primary key
      constraint confirmaciones_huella_check check (octet_length(huella) = 32),
    comercio_id uuid not null,
    guia_id uuid not null,
    creada_en timestamptz(3) not null,
    expira_en timestamptz(3) not null
  )`,

  // No foreign keys, for the same reasons as guias.
  `create table mensajes (
    id uuid constraint mensajes_pkey primary key,
    tipo text not null constraint mensajes_tipo_check check (tipo in (
      'confirmacion_ubicacion', 'pedir_ubicacion', 'elegir_guia', 'ubicacion_recibida', 'guia_cerrada', 'ayuda', 'baja', 'alta')),
    estado text not null constraint mensajes_estado_check check (estado in (
      'pendiente', 'enviando', 'incierto', 'aceptado', 'entregado', 'leido', 'fallido', 'omitido')),
    comercio_id uuid,
    guia_id uuid,
    telefono text constraint mensajes_telefono_check check (telefono ~ '^\\+[1-9][0-9]{3,14}$'),
    usuario text constraint mensajes_usuario_check check (char_length(usuario) between 1 and 200),
    responde_a uuid,
    enlace_base text,
    proveedor text constraint mensajes_proveedor_check check (proveedor in ('sandbox', 'webhook', 'whatsapp')),
    proveedor_id text constraint mensajes_proveedor_id_check check (char_length(proveedor_id) between 1 and 512),
    intentos smallint not null default 0 constraint mensajes_intentos_check check (intentos >= 0),
    ronda smallint not null default 0 constraint mensajes_ronda_check check (ronda >= 0),
    causa text constraint mensajes_causa_check check (char_length(causa) between 1 and 500),
    creado_en timestamptz(3) not null,
    actualizado_en timestamptz(3) not null,
    proximo_en timestamptz(3) not null,
    primer_intento_en timestamptz(3),
    constraint mensajes_guia_check check ((comercio_id is null) = (guia_id is null)),
    constraint mensajes_destinatario_check check (telefono is not null or usuario is not null),
    constraint mensajes_confirmacion_check check (
      tipo <> 'confirmacion_ubicacion' or (guia_id is not null and telefono is not null))
  )`,
  `create index mensajes_proveedor_id_idx on mensajes (proveedor_id) where proveedor_id is not null`,
  `create index mensajes_guia_idx on mensajes (guia_id, id)`,
  `create index mensajes_telefono_idx on mensajes (telefono, id)`,
  `create index mensajes_usuario_idx on mensajes (usuario, id) where usuario is not null`,
  `create index mensajes_pendientes_idx on mensajes (proximo_en) where estado in ('pendiente', 'enviando', 'incierto')`,

  `create table cupos_telefono (
    telefono text constraint cupos_telefono_pkey primary key,
    enviados timestamptz(3)[] not null
  )`,

  `create table bajas (
    destinatario text constraint bajas_pkey primary key
      constraint bajas_destinatario_check check (char_length(destinatario) between 1 and 200),
    creada_en timestamptz(3) not null
  )`,

  `create table pausas (
    proveedor text constraint pausas_pkey primary key
      constraint pausas_proveedor_check check (proveedor in ('sandbox', 'webhook', 'whatsapp')),
    codigo text not null,
    causa text not null,
    desde timestamptz(3) not null
  )`,

  `create table entrantes (
    id uuid constraint entrantes_pkey primary key,
    clave text not null constraint entrantes_clave_key unique
      constraint entrantes_clave_check check (char_length(clave) between 1 and 600),
    cuerpo text,
    recibido_en timestamptz(3) not null,
    procesado_en timestamptz(3)
  )`,
  `create index entrantes_pendientes_idx on entrantes (recibido_en) where procesado_en is null`,
  `create index entrantes_guardados_idx on entrantes (procesado_en) where cuerpo is not null`,
];

export class Mensajes1795262400000 implements MigrationInterface {
  name = 'Mensajes1795262400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CHANGES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table entrantes, pausas, bajas, cupos_telefono, mensajes, confirmaciones');
    await runner.query(`delete from eventos where tipo <> 'guia.creada'`);
    await runner.query('alter table eventos drop column datos, drop constraint eventos_tipo_check');
    await runner.query(
      `alter table eventos add constraint eventos_tipo_check check (tipo in ('guia.creada'))`,
    );
    await runner.query('alter table guias drop column confirmada_en');
  }
}
