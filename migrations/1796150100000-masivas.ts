import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What staff does with many guides at once: the action, and the guides that it is about, fixed when it is asked for. */
export class Masivas1796150100000 implements MigrationInterface {
  name = 'Masivas1796150100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table masivas (
      id uuid constraint masivas_pkey primary key,
      accion text not null constraint masivas_accion_check check (accion in ('pedir', 'reenviar', 'anotar', 'atender')),
      causa text not null,
      comercio_id uuid,
      usuario text not null,
      texto text constraint masivas_texto_check check (char_length(texto) between 1 and 1000),
      hasta timestamptz(3),
      creado_en timestamptz(3) not null,
      terminado_en timestamptz(3),
      proximo_en timestamptz(3) not null,
      ronda integer not null default 0
    )`);
    await runner.query(
      'create index masivas_pendientes_idx on masivas (proximo_en) where terminado_en is null',
    );
    await runner.query(
      'create index masivas_atendidas_idx on masivas (causa, comercio_id, hasta) where hasta is not null',
    );
    await runner.query(`create table masiva_guias (
      masiva_id uuid not null constraint masiva_guias_masiva_id_fkey references masivas (id) on delete cascade,
      guia_id uuid not null,
      comercio_id uuid not null,
      guia text not null,
      mensaje_id uuid,
      resultado text constraint masiva_guias_resultado_check check (resultado in ('hecho', 'no')),
      motivo text constraint masiva_guias_motivo_check check (char_length(motivo) between 1 and 500),
      constraint masiva_guias_pkey primary key (masiva_id, guia_id)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table masiva_guias, masivas');
  }
}
