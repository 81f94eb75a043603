import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `create table webhooks (
    id uuid constraint webhooks_pkey primary key,
    comercio_id uuid not null constraint webhooks_comercio_fkey references comercios (id),
    url text not null constraint webhooks_url_check check (char_length(url) between 1 and 2048),
    descripcion text constraint webhooks_descripcion_check check (char_length(descripcion) between 1 and 120),
    eventos text[] not null constraint webhooks_eventos_check check (cardinality(eventos) > 0 and eventos <@ array[
      'guia.creada', 'guia.confirmada', 'guia.estado_cambiado', 'guia.mensaje_fallido', 'guia.cancelada']),
    -- Which of its secrets signs; they are derived, and kept nowhere.
    secreto integer not null default 1 constraint webhooks_secreto_check check (secreto > 0),
    secreto_anterior_hasta timestamptz(3),
    activo boolean not null default true,
    desactivado_en timestamptz(3),
    desactivado_por text constraint webhooks_desactivado_por_check
      check (desactivado_por in ('comercio', 'respuesta_410', 'cinco_dias_de_fallas')),
    falla_desde timestamptz(3),
    creado_en timestamptz(3) not null,
    actualizado_en timestamptz(3) not null,
    eliminado_en timestamptz(3),
    constraint webhooks_activo_check check (activo = (desactivado_en is null) and activo = (desactivado_por is null))
  )`,
  `create index webhooks_comercio_idx on webhooks (comercio_id, id) where eliminado_en is null`,

  `create table webhook_mensajes (
    id uuid constraint webhook_mensajes_pkey primary key,
    comercio_id uuid not null,
    guia text constraint webhook_mensajes_guia_check check (guia ~ '^[1-9][0-9]{11}$'),
    evento text not null constraint webhook_mensajes_evento_check check (evento in (
      'guia.creada', 'guia.confirmada', 'guia.estado_cambiado', 'guia.mensaje_fallido', 'guia.cancelada', 'webhook.prueba')),
    secuencia integer,
    cuerpo text not null constraint webhook_mensajes_cuerpo_check check (octet_length(cuerpo) < 20000),
    creado_en timestamptz(3) not null
  )`,

  `create index webhook_mensajes_guia_idx on webhook_mensajes (guia) where guia is not null`,

  `create table webhook_entregas (
    webhook_id uuid not null constraint webhook_entregas_webhook_fkey references webhooks (id),
    mensaje_id uuid not null constraint webhook_entregas_mensaje_fkey references webhook_mensajes (id) on delete cascade,
    estado text not null constraint webhook_entregas_estado_check check (estado in ('pendiente', 'entregada', 'fallida')),
    intentos smallint not null default 0 constraint webhook_entregas_intentos_check check (intentos >= 0),
    ronda integer not null default 0 constraint webhook_entregas_ronda_check check (ronda >= 0),
    causa text constraint webhook_entregas_causa_check check (char_length(causa) between 1 and 500),
    creado_en timestamptz(3) not null,
    actualizado_en timestamptz(3) not null,
    proximo_en timestamptz(3) not null,
    constraint webhook_entregas_pkey primary key (webhook_id, mensaje_id)
  )`,
  `create index webhook_entregas_estado_idx on webhook_entregas (webhook_id, estado, mensaje_id)`,
  `create index webhook_entregas_mensaje_idx on webhook_entregas (mensaje_id)`,
  `create index webhook_entregas_pendientes_idx on webhook_entregas (proximo_en) where estado = 'pendiente'`,

  `create table webhook_intentos (
    webhook_id uuid not null,
    mensaje_id uuid not null,
    id uuid not null,
    en timestamptz(3) not null,
    ms integer not null constraint webhook_intentos_ms_check check (ms >= 0),
    estado_http smallint constraint webhook_intentos_estado_http_check check (estado_http between 100 and 999),
    error text constraint webhook_intentos_error_check check (char_length(error) between 1 and 60),
    respuesta text constraint webhook_intentos_respuesta_check check (octet_length(respuesta) <= 1024),
    constraint webhook_intentos_pkey primary key (webhook_id, mensaje_id, id),
    constraint webhook_intentos_entrega_fkey foreign key (webhook_id, mensaje_id)
      references webhook_entregas (webhook_id, mensaje_id) on delete cascade,
    constraint webhook_intentos_salida_check check ((estado_http is null) = (error is not null))
  )`,
];

export class Webhooks1795309200000 implements MigrationInterface {
  name = 'Webhooks1795309200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table webhook_intentos, webhook_entregas, webhook_mensajes, webhooks');
  }
}
