import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of the merchants' panel, and its forms that were sent, each of which acts once. */
export class Panel1796230000000 implements MigrationInterface {
  name = 'Panel1796230000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table panel_sesiones (
      huella bytea not null constraint panel_sesiones_huella_check check (octet_length(huella) = 32),
      clave_id uuid not null,
      vence_en timestamptz(3) not null,
      constraint panel_sesiones_pkey primary key (huella)
    )`);
    await runner.query('create index panel_sesiones_vence_idx on panel_sesiones (vence_en)');
    await runner.query(`create table panel_formularios (
      comercio_id uuid not null,
      clave uuid not null,
      destino text,
      creado_en timestamptz(3) not null default now(),
      constraint panel_formularios_pkey primary key (comercio_id, clave)
    )`);
    await runner.query('create index panel_formularios_creado_idx on panel_formularios (creado_en)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table panel_formularios');
    await runner.query('drop table panel_sesiones');
  }
}
